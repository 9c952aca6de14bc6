/** The data that pdf.js needs for some PDFs: character maps, standard fonts, and decoders for JPEG 2000, JBIG2 and fax images. */
const urls: Record<string, string> = {
  ...import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
}

const urlsByName = new Map(Object.entries(urls).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]))

/** Loads this data for the worker, which has no network access. Loads only the files listed here, whatever a PDF requests. */
export class PdfDataLoader {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = urlsByName.get(filename)
    const response = url === undefined ? undefined : await fetch(url)
    if (!response?.ok) throw new Error(`Loading ${filename} failed.`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
