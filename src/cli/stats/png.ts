/** Draws shapes into a PNG (ISO/IEC 15948): pixels of three bytes, without anti-aliasing, at twice the size of the chart. */
import { crc32, deflateSync } from 'node:zlib';
import { glyphs } from './glyphs.js';

/** `x` and `y` of a text are those of the end or the beginning of its base line. */
export type ChartShape =
  | {
      readonly is: 'rect';
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
      readonly colour: string;
    }
  | { readonly is: 'line'; readonly from: Point; readonly to: Point; readonly wide: number; readonly colour: string }
  | { readonly is: 'dot'; readonly at: Point; readonly r: number; readonly colour: string }
  | { readonly is: 'text'; readonly at: Point; readonly text: string; readonly end?: boolean; readonly bold?: boolean };

interface Point {
  readonly x: number;
  readonly y: number;
}

const scale = 2;
const glyphHeight = 7;
/** Five pixels and the gap to the next. */
const advance = 6;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** @param size in units of the shapes */
export function pngOf(
  shapes: readonly ChartShape[],
  size: { readonly width: number; readonly height: number },
): Buffer {
  const [width, height] = [size.width * scale, size.height * scale];
  const row = width * 3 + 1; // each begins with its filter: none
  const pixels = Buffer.alloc(row * height, 0xff);
  for (let y = 0; y < height; y += 1) pixels[y * row] = 0;
  const set = (x: number, y: number, colour: Buffer): void => {
    if (x >= 0 && y >= 0 && x < width && y < height) pixels.set(colour, y * row + 1 + x * 3);
  };
  const fill = (x: number, y: number, w: number, h: number, colour: Buffer): void => {
    for (let down = 0; down < h; down += 1) for (let right = 0; right < w; right += 1) set(x + right, y + down, colour);
  };
  const disc = ({ x, y }: Point, r: number, colour: Buffer): void => {
    for (let down = -r; down <= r; down += 1)
      for (let right = -r; right <= r; right += 1)
        if (right * right + down * down <= r * r) set(Math.round(x) + right, Math.round(y) + down, colour);
  };
  for (const shape of shapes) {
    const colour = rgbOf(shape.is === 'text' ? '#222222' : shape.colour);
    if (shape.is === 'rect')
      fill(...([shape.x, shape.y, shape.w, shape.h].map(scaled) as [number, number, number, number]), colour);
    else if (shape.is === 'dot') disc({ x: shape.at.x * scale, y: shape.at.y * scale }, scaled(shape.r), colour);
    else if (shape.is === 'line') for (const at of pointsOf(shape)) disc(at, radiusOf(shape), colour);
    else for (const [x, y, w] of strokesOf(shape)) fill(x, y, w, scale, colour);
  }
  return encoded(pixels, width, height);
}

const rgbOf = (colour: string): Buffer => Buffer.from(colour.slice(1), 'hex');
const scaled = (length: number): number => Math.round(length * scale);

type ShapeOf<Kind extends ChartShape['is']> = Extract<ChartShape, { is: Kind }>;

const radiusOf = ({ wide }: ShapeOf<'line'>): number => (wide < 2 ? 0 : Math.floor((wide * scale) / 2));

/** The pixels that a line goes through, one after the other. */
function pointsOf({ from, to }: ShapeOf<'line'>): Point[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) * scale));
  const at = (a: number, b: number, step: number): number => (a + ((b - a) * step) / steps) * scale;
  return Array.from({ length: steps + 1 }, (_, step) => ({ x: at(from.x, to.x, step), y: at(from.y, to.y, step) }));
}

/** The dots of the letters, each with its left edge, its upper edge and its width. */
function strokesOf({ at, text, end = false, bold = false }: ShapeOf<'text'>): [number, number, number][] {
  const left = scaled(at.x) - (end ? text.length * advance * scale : 0);
  const top = scaled(at.y) - glyphHeight * scale;
  return [...text].flatMap((letter, index) =>
    (glyphs[letter] ?? []).flatMap((bits, down) =>
      [0, 1, 2, 3, 4]
        .filter((bit) => (bits & (16 >> bit)) !== 0)
        .map((bit): [number, number, number] => [
          left + (index * advance + bit) * scale,
          top + down * scale,
          scale + (bold ? 1 : 0),
        ]),
    ),
  );
}

function encoded(pixels: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, RGB
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
