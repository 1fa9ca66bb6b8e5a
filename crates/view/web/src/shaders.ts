// Shaders. Poses and colours of bodies are textures, so that a new frame is one small upload,
// whatever the number of blocks.

/** Bodies in a row of the textures. */
export const ROW = 1024;

const POSE = /* glsl */ `
uniform highp sampler2D poses;
in float owner;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

const PLACE = /* glsl */ `
  int body = int(owner + 0.5);
  ivec2 at = ivec2(2 * (body % ${ROW}), body / ${ROW});
  vec4 place = texelFetch(poses, at, 0);
  vec4 rotation = texelFetch(poses, at + ivec2(1, 0), 0);
  world = place.xyz + turn(rotation, position);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
  // hidden bodies are moved outside the view
  if (place.w < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
`;

const CUT = /* glsl */ `
uniform vec4 cut;
in vec3 world;
void section() { if (dot(world, cut.xyz) > cut.w) discard; }
`;

export const FACES_VERTEX = /* glsl */ `
${POSE}
uniform sampler2D colours;
out vec3 world;
flat out vec4 tint;
void main() {
${PLACE}
  tint = texelFetch(colours, ivec2(body % ${ROW}, body / ${ROW}), 0);
}
`;

/**
 * Light from above, from the left and from the viewer, as in pictures; near the ground less light comes from the sky. The inside of
 * cut blocks is flat and hatched, as sections are drawn on paper.
 */
export const FACES_FRAGMENT = /* glsl */ `
${CUT}
uniform float darkest;
uniform float flatness;
uniform vec2 ground;
flat in vec4 tint;
out vec4 colour;
void main() {
  section();
  vec3 right = vec3(viewMatrix[0][0], viewMatrix[1][0], viewMatrix[2][0]);
  vec3 towards = vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
  // faces are flat: the change of place from pixel to pixel gives the normal, turned to the viewer
  vec3 n = normalize(cross(dFdx(world), dFdy(world)));
  float light = clamp(0.78 * n.z + 0.55 * dot(n, towards) - 0.3 * dot(n, right), 0.0, 1.0);
  float bright = mix(darkest + (1.0 - darkest) * light, 1.0, flatness);
  float sky = clamp((world.z - ground.x) / ground.y, 0.0, 1.0);
  if (flatness < 0.5 && n.z < 0.9) bright *= mix(0.8, 1.0, sky * (2.0 - sky));
  if (!gl_FrontFacing && flatness < 0.5) {
    bright = 0.86;
    if (mod(gl_FragCoord.x + gl_FragCoord.y, 9.0) < 1.5) bright = 0.45;
  }
  vec3 own = mix(tint.rgb, vec3(1.0, 0.47, 0.08), 1.0 - tint.a);
  colour = vec4(own * bright, 1.0);
}
`;

/**
 * Edges lie on faces: nearer to the viewer by some pixels, but by no more than a part of a block, so that they win against
 * the faces beside them and not against those before them. Along the line of sight, which keeps them where they are seen.
 */
export const EDGES_VERTEX = /* glsl */ `
${POSE}
uniform vec2 lift;
out vec3 world;
void main() {
${PLACE}
  vec4 seen = viewMatrix * vec4(world, 1.0);
  float away = isOrthographic ? 1.0 : length(seen.xyz);
  float nearer = min(lift.x * away, lift.y);
  if (isOrthographic) seen.z += nearer;
  else seen.xyz *= 1.0 - nearer / away;
  if (place.w > 0.5) gl_Position = projectionMatrix * seen;
}
`;

export const EDGES_FRAGMENT = /* glsl */ `
${CUT}
uniform vec4 ink;
out vec4 colour;
void main() {
  section();
  colour = ink;
}
`;

/** Blocks flattened onto the ground along one of several directions of light; together they make a soft shadow. */
export const SHADOW_VERTEX = /* glsl */ `
${POSE}
uniform vec2 ground;
uniform vec2 light;
out vec3 world;
void main() {
${PLACE}
  world.xy += light * (world.z - ground.x);
  world.z = ground.x + 1e-3 * ground.y;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
  if (place.w < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const SHADOW_FRAGMENT = /* glsl */ `
${CUT}
out vec4 colour;
void main() {
  section();
  colour = vec4(0.0, 0.0, 0.0, 0.055);
}
`;

/** Indices of bodies as colours, for picking. */
export const PICK_VERTEX = /* glsl */ `
${POSE}
out vec3 world;
flat out vec3 code;
void main() {
${PLACE}
  int id = body + 1;
  code = vec3(float(id & 255), float((id >> 8) & 255), float(id >> 16)) / 255.0;
}
`;

export const PICK_FRAGMENT = /* glsl */ `
${CUT}
flat in vec3 code;
out vec4 colour;
void main() {
  section();
  colour = vec4(code, 1.0);
}
`;

/**
 * Discs and spheres. The quad covers the silhouette: in perspective that of a sphere is larger than its radius, by
 * d/√(d² − r²) at the distance d.
 */
export const BALLS_VERTEX = /* glsl */ `
${POSE}
uniform sampler2D colours;
in float radius;
out vec3 seen;
flat out vec3 middle;
flat out vec3 centre;
flat out vec4 spin;
flat out float size;
flat out vec4 tint;
flat out vec3 code;
void main() {
  int body = int(owner + 0.5);
  ivec2 at = ivec2(2 * (body % ${ROW}), body / ${ROW});
  vec4 place = texelFetch(poses, at, 0);
  spin = texelFetch(poses, at + ivec2(1, 0), 0);
  tint = texelFetch(colours, ivec2(body % ${ROW}, body / ${ROW}), 0);
  centre = place.xyz;
  middle = (viewMatrix * vec4(centre, 1.0)).xyz;
  size = radius;
  vec3 right = vec3(1.0, 0.0, 0.0);
  vec3 up = vec3(0.0, 1.0, 0.0);
  float reach = radius;
  if (!isOrthographic) {
    float away = length(middle);
    vec3 along = middle / away;
    right = normalize(cross(along, abs(along.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    up = cross(right, along);
    reach = radius * away / sqrt(max(away * away - radius * radius, 1e-12));
  }
  // a little more, for the rim
  seen = middle + 1.02 * reach * (position.x * right + position.y * up);
  gl_Position = projectionMatrix * vec4(seen, 1.0);
  int id = body + 1;
  code = vec3(float(id & 255), float((id >> 8) & 255), float(id >> 16)) / 255.0;
  // hidden bodies are moved outside the view
  if (place.w < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;

/** Intersection of a ray with a ball, in view axes from its centre; fragments beside the ball are discarded. */
const MEET = /* glsl */ `
uniform vec4 cut;
uniform float flatness;
in vec3 seen;
flat in vec3 middle;
flat in vec3 centre;
flat in vec4 spin;
flat in float size;
flat in vec4 tint;
flat in vec3 code;
bool isCut(vec3 arm) { return dot(centre + transpose(mat3(viewMatrix)) * arm, cut.xyz) > cut.w; }
vec3 meet(out float inside) {
  inside = 0.0;
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(seen);
  vec3 from = isOrthographic ? vec3(seen.xy, 0.0) - middle : -middle;
  float b = -dot(from, ray);
  float h = size * size - dot(from, from) + b * b;
  if (h < 0.0) discard;
  vec3 arm = from + ray * (flatness > 0.5 ? b : b - sqrt(h));
  if (isCut(arm)) {
    inside = 1.0;
    arm = from + ray * (b + sqrt(h));
    if (flatness > 0.5 || isCut(arm)) discard;
  }
  vec4 clip = projectionMatrix * vec4(middle + arm, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  return arm;
}
`;

export const BALLS_FRAGMENT = /* glsl */ `
uniform mat4 projectionMatrix;
${MEET}
uniform float darkest;
uniform vec4 ink;
out vec4 colour;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  float inside;
  vec3 arm = meet(inside);
  vec3 n = arm / size;
  vec3 out_ = transpose(mat3(viewMatrix)) * n;
  // light as on faces
  float light = clamp(0.78 * out_.z + 0.55 * n.z - 0.3 * n.x, 0.0, 1.0);
  float bright = mix(darkest + (1.0 - darkest) * light, 1.0, flatness);
  if (inside > 0.5) bright = 0.72;
  vec3 own = mix(tint.rgb, vec3(1.0, 0.47, 0.08), 1.0 - tint.a) * bright;
  // mark of the rotation: the radius line of a disc, the equator of a sphere
  vec3 local = turn(vec4(-spin.xyz, spin.w), out_);
  float pixel = length(vec2(dFdx(seen.x), dFdy(seen.y))) / size;
  float line = flatness > 0.5
    ? (local.x > 0.0 ? abs(local.y) : 1.0) - 0.6 * pixel
    : abs(local.z) - 0.012;
  float mark = 1.0 - clamp(line / pixel + 0.5, 0.0, 1.0);
  // the rim of a disc
  if (flatness > 0.5) mark = max(mark, clamp((length(n.xy) - 1.0) / pixel + 1.6, 0.0, 1.0));
  colour = vec4(mix(own, ink.rgb, mark * ink.w * (flatness > 0.5 ? 0.8 : 0.35)), 1.0);
}
`;

export const BALLS_PICK_FRAGMENT = /* glsl */ `
uniform mat4 projectionMatrix;
${MEET}
out vec4 colour;
void main() {
  float inside;
  meet(inside);
  colour = vec4(code, 1.0);
}
`;

/** Lines with a width in pixels that may differ at both ends; a rim separates them from any colour. */
export const LINES_VERTEX = /* glsl */ `
uniform vec2 page;
in vec3 start;
in vec3 end;
in vec2 widths;
in vec3 ink;
out vec3 world;
out vec3 own;
out float across;
out float wide;
void main() {
  vec4 a = projectionMatrix * viewMatrix * vec4(start, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(end, 1.0);
  vec2 step = b.xy / b.w * page - a.xy / a.w * page;
  float size = length(step);
  vec2 along = size > 1e-3 ? step / size : vec2(1.0, 0.0);
  wide = mix(widths.x, widths.y, position.x) + 2.0;
  gl_Position = mix(a, b, position.x);
  vec2 aside = vec2(-along.y, along.x) * position.y * wide;
  // a point becomes a small square
  if (size <= 1e-3) aside += along * (2.0 * position.x - 1.0) * wide;
  gl_Position.xy += aside / page * gl_Position.w;
  world = mix(start, end, 0.5);
  own = ink;
  across = position.y;
}
`;

export const LINES_FRAGMENT = /* glsl */ `
${CUT}
uniform vec4 rim;
uniform float strength;
in vec3 own;
in float across;
in float wide;
out vec4 colour;
void main() {
  section();
  float inside = (1.0 - abs(across)) * wide * 0.5;
  colour = inside < 1.0 ? rim : vec4(own, 1.0);
  colour.a *= strength;
}
`;
