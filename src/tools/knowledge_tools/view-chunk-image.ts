import * as z from 'zod';
import { defineTool } from '../tool.ts';

export default defineTool({
  name: 'view_chunk_image',
  title: 'View the picture of a chunk',
  description:
    'Shows the picture behind a chunk so that you can look at it: an image of a Markdown or DOCX document, a chart in a notebook output, the page of a PDF with its figures and tables. Use it on chunks whose results carry "images" or "page", when a diagram, chart, screenshot or table matters for the answer. Returns the image itself and a text description. Pictures on the network are not fetched.',
  input: z.object({
    chunk_id: z.string().describe('path_part_id (UUID) of the chunk, from a search or reading result.'),
  }),
  effect: 'read',
  usesIndex: true,
  async run({ chunk_id: id }, { knowledge, bases, signal }) {
    const { pictures, ...rest } = await knowledge.picture({ id, allowed: await bases() }, signal);
    const images = pictures.map(({ mime, width, height, bytes }) => ({
      mime_type: mime,
      bytes: bytes.length,
      ...(width && { width, height }),
    }));
    return { data: { ...rest, images }, images: pictures };
  },
});
