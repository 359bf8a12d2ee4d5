import { createCanvas, GifEncoder, loadImage } from '@napi-rs/canvas';

/** Narrow enough for the column of a README. */
const width = 900;
const frameMs = 2_500;

/** An animation of screenshots of the same size, one after the other. */
export async function animate(frames: readonly string[]): Promise<Buffer> {
  let encoder: GifEncoder | undefined;
  for (const frame of frames) {
    const image = await loadImage(frame);
    const height = Math.round((image.height * width) / image.width);
    const context = createCanvas(width, height).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    encoder ??= new GifEncoder(width, height, { quality: 5 });
    const { data } = context.getImageData(0, 0, width, height);
    encoder.addFrame(new Uint8Array(data.buffer), width, height, { delay: frameMs });
  }
  if (encoder === undefined) throw new Error('An animation needs frames.');
  return encoder.finish();
}
