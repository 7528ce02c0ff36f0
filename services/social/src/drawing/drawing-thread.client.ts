// Draws what `Drawing` sends, one after the other, so that requests do not wait for it.
import { parentPort } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import type { DrawingAnswer, DrawingRequest } from './drawing.client.ts';

parentPort?.on('message', ({ id, svg, fontFiles, fontFamily }: DrawingRequest) => {
  parentPort?.postMessage(draw(id, svg, { fontFiles: [...fontFiles], defaultFontFamily: fontFamily }));
});

function draw(id: number, svg: string, fonts: { fontFiles: string[]; defaultFontFamily: string }): DrawingAnswer {
  try {
    // Letters that our font does not have come from those of the machine.
    return { id, png: new Resvg(svg, { font: { ...fonts, loadSystemFonts: true } }).render().asPng() };
  } catch (error) {
    return { id, error: String(error) };
  }
}
