import { defineConfig } from 'vite';

// A flat folder of files with fixed names, as the engine takes it into its binary.
// It is not emptied: cargo watches it, and the names do not change.
export default defineConfig({
  base: './',
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
});
