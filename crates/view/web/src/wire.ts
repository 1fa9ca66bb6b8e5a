// Answers of the server: JSON, and named arrays in one message (see pack.rs).

export type Numbers = Float32Array | Uint32Array | Uint8Array;

/** A message of named arrays. */
export class Pack {
  constructor(
    readonly about: Record<string, any>,
    private readonly arrays: Map<string, Numbers>,
  ) {}

  has(name: string): boolean {
    return this.arrays.has(name);
  }

  f32(name: string): Float32Array {
    return (this.arrays.get(name) as Float32Array | undefined) ?? new Float32Array();
  }

  u32(name: string): Uint32Array {
    return (this.arrays.get(name) as Uint32Array | undefined) ?? new Uint32Array();
  }

  u8(name: string): Uint8Array {
    return (this.arrays.get(name) as Uint8Array | undefined) ?? new Uint8Array();
  }

  get bytes(): number {
    let sum = 0;
    for (const array of this.arrays.values()) sum += array.byteLength;
    return sum;
  }
}

const KINDS = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };

/** Decodes a message; arrays are views without copies. */
export function unpack(buffer: ArrayBuffer): Pack {
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, 4));
  if (magic !== "VPK1") throw new Error("the server sent something else than arrays");
  const size = new DataView(buffer).getUint32(4, true);
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  const arrays = new Map<string, Numbers>();
  for (const [name, { type, offset, length }] of Object.entries<any>(about.arrays)) {
    arrays.set(name, new KINDS[type as keyof typeof KINDS](buffer, 8 + size + offset, length));
  }
  return new Pack(about, arrays);
}

async function fetched(path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("the server does not answer any more; start `voussoir view` again");
  }
  if (answer.ok) return answer;
  const reason = await answer.json().then((value) => value.error as string, () => answer.statusText);
  throw new Error(reason);
}

export async function getJson(path: string): Promise<any> {
  return (await fetched(path)).json();
}

export async function getPack(path: string): Promise<Pack> {
  return unpack(await (await fetched(path)).arrayBuffer());
}
