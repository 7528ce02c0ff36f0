import { sceneShades } from '../../lib/scene-colour.ts';
import { hillPaths, hillsBox } from './hills.ts';

type Picture = {
  title: string;
  figure: string;
  unit: string;
  /** `#rrggbb`, the organisation's. */
  first: string;
  second: string | undefined;
};

const width = 1080;
const height = 1350;

/** A picture of 1080 by 1350 for messengers: the organisation's landscape with one's own figure, and nobody else's. */
export async function drawPicture(picture: Picture): Promise<Blob> {
  await document.fonts.ready;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  const shades = sceneShades(picture.first, picture.second);
  drawLandscape(context, shades);
  drawWords(context, picture);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made'))), 'image/png');
  });
}

function drawLandscape(context: CanvasRenderingContext2D, shades: ReturnType<typeof sceneShades>): void {
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, shades['--sky-1'].light);
  sky.addColorStop(0.5, shades['--sky-2'].light);
  sky.addColorStop(0.78, shades['--sky-3'].light);
  sky.addColorStop(1, shades['--glow'].light);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  context.fillStyle = shades['--sun'].light;
  context.beginPath();
  context.arc(width * 0.62, 940, 150, 0, Math.PI * 2);
  context.fill();
  const { far, middle, near } = hillPaths(11);
  const scale = 1.7;
  context.save();
  context.translate(-300, height - hillsBox.height * scale);
  context.scale(scale, scale);
  for (const [path, shade] of [
    [far, shades['--hill-1']],
    [middle, shades['--hill-2']],
    [near, shades['--hill-3']],
  ] as const) {
    context.fillStyle = shade.light;
    context.fill(new Path2D(path));
  }
  context.restore();
}

function drawWords(context: CanvasRenderingContext2D, { title, figure, unit }: Picture): void {
  const font = 'Figtree, sans-serif';
  context.fillStyle = '#ffffff';
  context.font = `800 52px ${font}`;
  context.fillText('Caravan', 88, 140);
  context.font = `750 56px ${font}`;
  context.fillText(title, 88, 300);
  context.font = `900 300px ${font}`;
  context.fillText(figure, 72, 570);
  const end = 72 + context.measureText(figure).width + 24;
  context.font = `700 64px ${font}`;
  context.fillText(unit, end, 570);
}
