import * as vscode from 'vscode';
import type { Domains } from '../../core/app.ts';

type Diagnostic = Awaited<ReturnType<Domains['skills']['diagnostics']>>[number];

const SEVERITY = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** What is wrong with skills, agents and prompts, in the Problems panel. */
export function createProblems(): vscode.Disposable & { show(found: readonly Diagnostic[]): void } {
  const collection = vscode.languages.createDiagnosticCollection('loci');
  return {
    show(found) {
      const byFile = Map.groupBy(found, ({ file }) => file);
      collection.clear();
      for (const [file, diagnostics] of byFile) collection.set(vscode.Uri.file(file), diagnostics.map(toEditor));
    },
    dispose: () => collection.dispose(),
  };
}

function toEditor({ line, column, end_line, end_column, severity, code, message }: Diagnostic): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, column - 1, end_line - 1, end_column - 1);
  const diagnostic = new vscode.Diagnostic(range, message, SEVERITY[severity]);
  diagnostic.source = 'Loci';
  diagnostic.code = code;
  return diagnostic;
}
