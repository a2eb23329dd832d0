import { defineConfig } from 'vitest/config';
import { openings } from './openings.ts';

// A flat folder of files with fixed names, as the engine takes it into its binary.
// It is not emptied: cargo watches it, and the names do not change.
export default defineConfig({
  base: './',
  plugins: [openings()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: 'board.js',
        assetFileNames: 'board.[ext]',
      },
    },
  },
  test: { include: ['src/**/*.test.ts'] },
});
