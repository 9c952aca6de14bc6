import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

export default defineConfig({
  plugins: [withoutSummaries(), react(), compressed()],
  build: {
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'], // the first with light-dark(), popovers and AbortSignal.any
    assetsInlineLimit: 0, // the page's policy allows no inline script
    cssCodeSplit: false, // one small sheet, so a page that loads late never shows unstyled
    modulePreload: { polyfill: false },
    // What every page needs is one file: left to itself the bundler makes fifteen of it, each with a request of its own.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] } } },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': api, '/openapi.json': api, '/.well-known': api } },
})

/** Empties the descriptions in the contract: only the server shows them, in `/openapi.json`. Saves 3 KB of the first page. */
function withoutSummaries(): Plugin {
  const summary = /\bsummary:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g
  return {
    name: 'neptune:without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => (/contract\/src\/[\w-]+\.ts$/.test(id) ? code.replaceAll(summary, "summary: ''") : undefined),
  }
}

/** Writes a brotli and a gzip copy beside every file worth it: the server sends those and never compresses by itself. */
function compressed(): Plugin {
  let folder = ''
  return {
    name: 'neptune:compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(?:js|css|html|svg|json|txt)$/.test(name))) {
        const bytes = readFileSync(join(folder, file))
        if (bytes.length <= 1024) continue
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params: quality }))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}
