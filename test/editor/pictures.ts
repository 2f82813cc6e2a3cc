import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, packageVsix } from '../../src/build/package.ts';
import { root } from '../../src/build/root.ts';
import type { Editor } from './drive.ts';
import { answer, type Hits, type Reading, startLoci } from './loci.ts';
import type { Script } from './model.ts';

const folder = join(root, 'media', 'readme');
const question = 'A crate went over 8 °C on the way to Tokyo. What happened, and what did we change?';

/** Makes the README's pictures: the real editor and real tool calls; only the model's words are written here. */
async function main(): Promise<void> {
  console.log('Bundling and packaging ...');
  await bundle();
  await packageVsix();
  console.log('Starting the editor ...');
  const editor = await startLoci({
    size: { width: 1400, height: 860, scale: 1.5 },
    settings: { 'chat.viewSessions.enabled': false, 'window.commandCenter': false },
  });
  try {
    await editor.ask(question, conversation());
    await arrange(editor);
    await mkdir(folder, { recursive: true });
    await editor.page.screenshot({ path: join(folder, 'agent.png') });
    console.log(`Wrote ${join(folder, 'agent.png')}`);
  } finally {
    await editor.close();
  }
}

function* conversation(): Script {
  const query = 'crate above 8 degrees on the route to Tokyo';
  const { results } = answer<Hits>(yield { tool: 'loci_search_knowledge', input: { query } });
  const hit = results.find((found) => found.path.includes('INC-086'));
  const around = answer<Reading>(yield { tool: 'loci_read_around', input: { chunk_id: hit?.path_part_id, window: 5 } });
  const picture = around.chunks?.find((chunk) => chunk.images);
  if (picture) yield { tool: 'loci_view_chunk_image', input: { chunk_id: picture.path_part_id } };
  return [
    'On 23 September 2026 customs at Narita held two crates in a shed without cooling (**INC-086**).\n\n',
    '| Order | Customer | Peak |\n|---|---|---|\n| SO-26090071 | 牡蠣小屋 波 | 13.6 °C |\n| SO-26090073 | Hotel Shiosai | 12.8 °C |\n\n',
    'Both claims were accepted. Since then:\n\n',
    '- the import declaration names *live molluscs*, which are inspected in the cooled bay;\n',
    '- pages for R-TYO between 18:00 and 06:00 UTC go to the Tokyo desk first;\n',
    '- crates for Tokyo carry six gel packs.\n\n',
    'Source: `docs/incidents/INC-086-narita-customs-hold.md`',
  ].join('');
}

/** Shows the document beside the chat, the steps unfolded, and nothing that is about the editor itself. */
async function arrange({ evaluate }: Editor): Promise<void> {
  await evaluate(async (api) => {
    const [workspace] = api.workspace.workspaceFolders ?? [];
    const document = api.Uri.joinPath(workspace!.uri, 'docs/incidents/INC-086-narita-customs-hold.md');
    await api.commands.executeCommand('vscode.open', document);
    await api.commands.executeCommand('markdown.showPreview', document);
    await api.commands.executeCommand('notifications.clearAll');
  });
}

await main();
