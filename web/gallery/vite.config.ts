import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileCatalogues } from '../build/catalogues.ts'

/**
 * Builds a gallery of every component in every state, for review and browser tests:
 * `vite build --config web/gallery/vite.config.ts --outDir …`
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: resolve(import.meta.dirname, '../public'),
  plugins: [compileCatalogues(), react()],
  build: { emptyOutDir: true },
})
