import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compileCatalogues } from './build/catalogues.ts'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`

export default defineConfig({
  plugins: [removeServerParts(), compileCatalogues(), react(), preloadTypeface(), compressFiles()],
  build: {
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'], // the first versions with light-dark(), popovers and AbortSignal.any
    assetsInlineLimit: 0, // the Content Security Policy forbids inline scripts
    cssCodeSplit: false, // one small style sheet, so that lazy pages are never unstyled
    modulePreload: { polyfill: false },
    // One chunk for the code that every page needs. By default the bundler would create fifteen, each with its own request.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] }, chunkFileNames: nameChunk },
    },
  },
  server: { port: 5173, strictPort: true, proxy: { '/v1': api, '/openapi.json': api, '/.well-known': api } },
})

/** Names the chunks of catalogues after their language, such as `de-first`. */
function nameChunk({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const [, language] = /\/i18n\/(\w+)\/\w+\.json$/.exec(facadeModuleId ?? '') ?? []
  return `assets/${language ? `${language}-` : ''}[name]-[hash].js`
}

/**
 * Removes from the contract what only the server needs: summaries, errors and access rules of endpoints, and messages that list API values.
 */
function removeServerParts(): Plugin {
  const parts = [
    /\bsummary:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),?/g,
    /\berrors: \[(?:\s*'[\w.]+',?)+\s*\],?/g,
    /,\s*'This must be (?:one of )?[\w.]+(?:, [\w.]+)*(?: or [\w.]+)?\.'(?=\s*,?\s*\))/g,
    /^ +(?:access: '(?:public|staff|admin|link|shared)'|token: '(?:read|write)'),$/gm,
  ]
  return {
    name: 'neptune:remove-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      /contract\/src\/[\w-]+\.ts$/.test(id) ? parts.reduce((rest, part) => rest.replaceAll(part, ''), code) : undefined,
  }
}

/** Preloads the Latin typeface, which the browser would otherwise discover only when the first text is shown. */
function preloadTypeface(): Plugin {
  return {
    name: 'neptune:preload-typeface',
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
        })),
  }
}

/** Writes a Brotli and a gzip copy of every file over 1 KB. The server sends these and does not compress on its own. */
function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'neptune:compress-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const file of files.filter((name) => /\.(?:m?js|css|html|svg|json|txt|wasm)$/.test(name))) {
        const bytes = readFileSync(join(folder, file))
        if (bytes.length <= 1024) continue
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params: quality }))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}
