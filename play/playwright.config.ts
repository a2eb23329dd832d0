import { defineConfig } from '@playwright/test';

// The browser is Debian's, or the one CHROMIUM names. SCREEN=390x844 takes a window of another size,
// SCHEME=dark the colours of the night.
const [width, height] = (process.env.SCREEN ?? '1280x800').split('x').map(Number);

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
    viewport: { width: width!, height: height! },
    colorScheme: process.env.SCHEME === 'dark' ? 'dark' : 'light',
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
