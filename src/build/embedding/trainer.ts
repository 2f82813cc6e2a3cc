import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, 'trainer');

/** Whether this machine has a C compiler. */
export function hasCompiler(): boolean {
  return spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Compiles the trainer for this very processor. Gives the path of the program. */
export function compileTrainer(folder: string): string {
  const program = join(folder, 'train-embedding');
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.c'));
  const flags = ['-std=c17', '-O3', '-march=native', '-ffast-math', '-Wall', '-Wextra'];
  execFileSync('cc', [...flags, '-o', program, ...sources.map((name) => join(SOURCES, name)), '-lm'], {
    stdio: 'inherit',
  });
  return program;
}

/** Runs the trainer with its options (`--steps 1000` is `{ steps: 1000 }`; all are listed in trainer/main.c). */
export function runTrainer(program: string, options: Readonly<Record<string, string | number>>): void {
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  execFileSync('nice', ['-n', '15', program, ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
}
