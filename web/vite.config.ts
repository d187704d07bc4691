import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, loadEnv } from "vite";

/** Chunks keep one name each: `messages/table/es.json` and `messages/es.json` must not take turns as `es.js`. */
function chunkName({ facadeModuleId, name }: { facadeModuleId: string | null; name: string }): string {
  const words = /\/(?:messages|catalogues)\/(?:(\w+)\/)?(\w+)\.json$/.exec(facadeModuleId ?? "");
  return words ? `assets/texts-${[words[1], words[2]].filter(Boolean).join("-")}.js` : `assets/${name}.js`;
}

// Older servers told browsers to keep `words-….js` for a year; these have another name, so that nobody reads those.
// Fixed names make the committed build comparable; the server gives each file a strong ETag.
export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, ".", "CANASTA_").CANASTA_SERVER ?? "127.0.0.1:8000";
  return {
    plugins: [svelte()],
    build: {
      outDir: "../src/canasta/server/static",
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: {
        output: {
          entryFileNames: "assets/[name].js",
          chunkFileNames: chunkName,
          assetFileNames: "assets/[name][extname]",
        },
      },
    },
    server: {
      proxy: {
        // The server refuses requests from other sites: it must see the host that the browser sees.
        "/api": { target: `http://${server}`, changeOrigin: false },
        "/ws": { target: `ws://${server}`, changeOrigin: false, ws: true },
      },
    },
  };
});
