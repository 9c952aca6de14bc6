interface PdfOptions {
  /** The text of each page. */
  pages: string[]
  /** A URL that the first page links to. */
  link?: string
  /** A script that runs when the PDF is opened, in viewers that run scripts. */
  script?: string
  /** How many bytes of an unused image to add before the last page. */
  padding?: number
}

/** Returns a PDF with pages of 300 × 400 points, each with one line of text. Its cross-reference table is at the end, as in large PDFs. */
export function makePdf({ pages, link, script, padding = 0 }: PdfOptions): Buffer {
  const firstPage = 5
  const action = script ? ` /OpenAction << /S /JavaScript /JS (${script}) >>` : ''
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')
  const annotation = `<< /Type /Annot /Subtype /Link /Rect [40 300 200 330] /Border [0 0 0] /A << /S /URI /URI (${link}) >> >>`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R${action} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${padding} >>\nstream\n${'x'.repeat(padding)}\nendstream`,
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 24 Tf 40 310 Td (${text}) Tj ET`
      const links = link && index === 0 ? ` /Annots [${annotation}]` : ''
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${firstPage + 2 * index + 1} 0 R /Resources << /Font << /F1 3 0 R >> >>${links} >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const index = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(body + index, 'latin1')
}
