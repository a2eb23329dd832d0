import { defineConfig } from '@playwright/test';

// The browser is Debian's, or the one CHROMIUM names.
export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  timeout: 40_000,
  expect: { timeout: 10_000 },
  // The machine may have two processors, and the engine wants one.
  workers: 1,
  forbidOnly: !!process.env.CI,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
