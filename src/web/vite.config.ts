import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Two pages: the console, and GraphiQL, which nobody loads who does not open it. */
export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
    rollupOptions: { input: { console: 'src/web/index.html', graphiql: 'src/web/graphiql.html' } },
  },
});
