import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Either of the two pages, by the mode: built together they would share parts, each with what the other one needs. */
const PAGES = {
  console: { input: 'src/web/index.html', manifest: 'manifest.json', emptyOutDir: true },
  graphiql: { input: 'src/web/graphiql.html', manifest: 'manifest-graphiql.json', emptyOutDir: false },
} as const;

export default defineConfig(({ mode }) => {
  const { input, manifest, emptyOutDir } = mode === 'graphiql' ? PAGES.graphiql : PAGES.console;
  return {
    root: 'src/web',
    plugins: [react()],
    build: {
      outDir: '../../dist/web',
      emptyOutDir,
      manifest,
      // A data: address would need an exception in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4000,
      rollupOptions: { input },
    },
  };
});
