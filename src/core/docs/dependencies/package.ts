/** An installed package whose documentation is gathered. */
export interface InstalledPackage {
  readonly ecosystem: 'npm' | 'python';
  readonly name: string;
  /** The version that is installed, not the range that was asked for. */
  readonly version: string;
  /** Folder that its documents lie in. */
  readonly folder: string;
}

/** A dependency that is named but not installed. */
export interface MissingPackage {
  readonly name: string;
  /** Who names it, relative to the workspace folder. */
  readonly wantedBy: string;
}

export interface FoundPackages {
  readonly packages: readonly InstalledPackage[];
  readonly missing: readonly MissingPackage[];
}

/** The folder, below that of all dependencies, that a package's documents are gathered in. */
export function folderOf({ ecosystem, name, version }: InstalledPackage): string {
  return `${ecosystem}/${name.replaceAll(/[^\w.@/-]/g, '_').replaceAll('..', '_')}@${version.replaceAll(/[^\w.+-]/g, '_')}`;
}
