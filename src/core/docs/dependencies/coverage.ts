import type { Gathered } from './gather.ts';
import type { InstalledPackage, MissingPackage } from './package.ts';

export type Coverage = InstalledPackage & Gathered;

const MOST_MISSING = 100;

/** The page that tells what the base holds and what it does not. */
export function coveragePage(covered: readonly Coverage[], missing: readonly MissingPackage[], left: number): string {
  const rows = [...covered]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ ecosystem, name, version, documents, declarations, partial }) => {
      const note = documents === 0 ? 'ships no documents' : partial ? 'cut at the limits' : '';
      return `| ${name} | ${version} | ${ecosystem} | ${documents} | ${declarations} | ${note} |`;
    });
  const absent = missing.slice(0, MOST_MISSING).map(({ name, wantedBy }) => `- ${name}, wanted by ${wantedBy}`);
  return `# Documentation of installed dependencies

What the direct dependencies of this workspace ship about themselves, at the versions that are installed: READMEs,
changelogs, docs folders, and the doc comments of type declarations. Of Python, the packages of the workspace's own virtual
environment with their descriptions. Not here: dependencies of dependencies, other ecosystems, and what a project publishes
only on its site. Of one package at most 200 files and 4 MB are taken, of all at most 1,000 packages.

| Package | Version | Ecosystem | Documents | Documented declarations | Note |
|---|---|---|---|---|---|
${rows.join('\n')}
${left > 0 ? `\n${left} more packages are left out.\n` : ''}${absent.length > 0 ? `\n## Named but not installed\n\n${absent.join('\n')}\n` : ''}`;
}
