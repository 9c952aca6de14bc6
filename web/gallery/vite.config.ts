import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Every component in every state, for the eye and for browser tests: `vite build --config web/gallery/vite.config.ts --outDir …`. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: resolve(import.meta.dirname, '../public'),
  plugins: [react()],
  build: { emptyOutDir: true },
})
