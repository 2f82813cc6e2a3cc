import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, packageVsix } from '../../src/build/package.ts';
import { root } from '../../src/build/root.ts';
import type { Editor } from './drive.ts';
import { answer, type Hits, type Reading, startLoci } from './loci.ts';
import type { Script } from './model.ts';
import { until } from './until.ts';
import { takeWalkthroughPictures } from './walkthrough-pictures.ts';

const folder = join(root, 'media', 'readme');
const document = 'docs/architecture/telemetry-pipeline.md';
const question = 'Which temperature readings page someone by phone?';

/** Makes the pictures of the README and the walkthrough: the real editor and real tool calls; only the model's words are written here. */
async function main(): Promise<void> {
  console.log('Bundling and packaging ...');
  await bundle();
  await packageVsix();
  console.log('Starting the editor ...');
  const editor = await startLoci({
    size: { width: 1400, height: 860, scale: 1.5 },
    settings: { 'window.commandCenter': false, 'chat.agent.thinking.collapsedTools': 'off' },
  });
  try {
    await editor.ask(question, conversation());
    await arrange(editor);
    await mkdir(folder, { recursive: true });
    await editor.page.screenshot({ path: join(folder, 'agent.png') });
    console.log(`Wrote ${join(folder, 'agent.png')}`);
    await takeWalkthroughPictures(editor);
  } finally {
    await editor.close();
  }
}

function* conversation(): Script {
  const { results } = answer<Hits>(yield { tool: 'loci_search_knowledge', input: { query: question } });
  const hit = results.find((found) => found.path === document);
  if (hit === undefined) throw new Error(`The search no longer finds ${document}: choose another question.`);
  const reading = answer<Reading>(yield { tool: 'loci_read', input: { path_part_id: hit.document_id } });
  const picture = reading.chunks?.find((chunk) => chunk.images);
  yield { tool: 'loci_view_chunk_image', input: { chunk_id: picture?.path_part_id } };
  return `A probe sends every **5 minutes**; brine checks the reading and stores it, and foghorn looks every **60 seconds**:

| Severity | Opens when | Who is called |
|---|---|---|
| warm | 4 readings above 8.0 °C | #ops-floor |
| critical | warm, then above 12.0 °C | on-call, by phone |
| freeze | 2 readings below 1.0 °C | on-call, by phone |

Rejected readings wait in *dead letters* for 7 days. Source: \`${document}\``;
}

/** Shows the document beside the chat, the steps unfolded, and nothing that is about the editor itself. */
async function arrange({ evaluate, page }: Editor): Promise<void> {
  await evaluate(async (api, path) => {
    await api.commands.executeCommand('workbench.action.closeSidebar');
    const [workspace] = api.workspace.workspaceFolders ?? [];
    await api.commands.executeCommand('markdown.showPreview', api.Uri.joinPath(workspace!.uri, path));
  }, document);
  await until('the preview is drawn', async () => {
    const pictures = await Promise.all(
      page.frames().map((frame) => frame.locator('img[alt="From probe to page"]').count()),
    );
    return pictures.includes(1);
  });
  await page.getByLabel('Dismiss notification').click();
  const chat = await page.locator('.part.auxiliarybar').boundingBox();
  if (chat) {
    await page.mouse.move(chat.x - 1, 400);
    await page.mouse.down();
    await page.mouse.move(chat.x - 150, 400, { steps: 10 });
    await page.mouse.up();
  }
  await page.locator('.completed-response-summary').click();
  // Off the chat, which shows more buttons under the pointer.
  await page.mouse.move(500, 600);
}

await main();
