/** Returns a PDF with one page that has this content. `box` is the size of the page, and `objects` are further objects, numbered from 5. */
export function buildPdf(content: Buffer | string, { box = '0 0 200 300', filter = '', objects = [] as string[] } = {}): Buffer {
  const stream = Buffer.from(content)
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>`,
    Buffer.concat([Buffer.from(`<< /Length ${stream.length}${filter} >>\nstream\n`), stream, Buffer.from('\nendstream')]),
    ...objects,
  ]
  const body = parts.flatMap((part, index) => [Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(part), Buffer.from('\nendobj\n')])
  const trailer = `trailer << /Size ${parts.length + 1} /Root 1 0 R >>\n%%EOF`
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...body, Buffer.from(trailer)])
}

/** Builds a form that draws the form `to`, which may be itself, `times` times. */
export const buildRecursiveForm = (times: number, to: string) =>
  `<< /Type /XObject /Subtype /Form /BBox [0 0 200 300] /Resources << /XObject << /X ${to} >> >> /Length ${5 * times} >>\nstream\n${'/X Do'.padEnd(5).repeat(times)}\nendstream`
