import { defineConfig } from "vite";

// three files with fixed names, which the crate embeds; addresses are relative, below the secret part
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: { entryFileNames: "page.js", assetFileNames: "page[extname]", inlineDynamicImports: true },
    },
  },
});
