import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { PdfDataLoader } from './pdf-data.ts'

/** The size of the parts in which a large PDF is loaded. */
const partBytes = 2 ** 18
/** Larger images are left out, because their pixels would take more than 400 MB. */
const maxImagePixels = 1e8

interface OpenPdf {
  document: Promise<PDFDocumentProxy>
  close: () => void
}

/**
 * Opens a PDF with pdf.js. Its parser runs in a worker that has no network access and can't evaluate code (see `workerPolicy` on the
 * server). Scripts in the PDF never run, because the part of pdf.js that could run them isn't loaded.
 */
export function openPdf(url: string): OpenPdf {
  const worker = new Worker(trustWorkerUrl(workerUrl) as string, { type: 'module' })
  GlobalWorkerOptions.workerPort = worker
  const task = getDocument({
    url,
    rangeChunkSize: partBytes,
    // Loads only the parts that the visible pages need, however large the PDF is.
    disableStream: true,
    disableAutoFetch: true,
    maxImageSize: maxImagePixels,
    enableXfa: false,
    useWorkerFetch: false,
    BinaryDataFactory: PdfDataLoader,
    verbosity: 0,
  })
  return {
    document: task.promise,
    close: () => void task.destroy().finally(() => worker.terminate()),
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL: (url: string) => unknown }
}

/** Marks the URL of our own worker as trusted: our content security policy requires it, where browsers support it. */
function trustWorkerUrl(url: string): unknown {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const createScriptURL = (address: string) => {
    if (new URL(address, location.href).origin !== location.origin) throw new Error('The worker must come from this site.')
    return address
  }
  policy ??= trustedTypes?.createPolicy('neptune-worker', { createScriptURL })
  return policy ? policy.createScriptURL(url) : createScriptURL(url)
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined
