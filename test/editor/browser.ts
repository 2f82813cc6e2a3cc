import { type BrowserContext, chromium as playwright } from 'playwright-core';
import { chromium } from '../../src/build/chromium.ts';

export interface WindowSize {
  readonly width: number;
  readonly height: number;
  /** Picture pixels for one of these; 1 if left out. */
  readonly scale?: number;
}

/** Starts the machine's Chromium without a window, on a profile folder of its own (the editor keeps state in the browser). */
export async function openBrowser(profile: string, { scale = 1, ...viewport }: WindowSize): Promise<BrowserContext> {
  return playwright.launchPersistentContext(profile, {
    executablePath: await chromium(),
    headless: true,
    viewport,
    deviceScaleFactor: scale,
    // The machine may be closed to the outside, and then each of the browser's own calls home waits for its limit.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
