import { loadCollection } from './collection.ts';
import { ENGINES } from './engines/all.ts';
import { measure } from './measure.ts';
import { scaledDocs } from './scale.ts';

// One engine on one collection in a process of its own, so that no engine inherits another's heap or compiled code.
const [engineName, kind, count, queries, ...folders] = process.argv.slice(2);
const engine = ENGINES.find(({ name }) => name === engineName);
if (engine === undefined) throw new Error(`No engine is called ${engineName}`);
const collections = await Promise.all(folders.map(loadCollection));
const collection =
  kind === 'scale'
    ? {
        name: `${count} chunks`,
        docs: scaledDocs(collections, Number(count)),
        queries: collections.flatMap((each) => each.queries.filter((_, i) => i % 4 === 0)),
        judgements: new Map(),
      }
    : collections[0]!;
process.stdout.write(`${JSON.stringify(await measure(engine, collection, Number(queries)))}\n`);
