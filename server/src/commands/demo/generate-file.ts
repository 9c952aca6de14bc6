import sharp from 'sharp'

/** Returns a generator of random numbers from 0 to 1. The same seed gives the same numbers, so that every demo is the same. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Generates the content of a file. The extension of the name determines its type. */
export function generateFile(name: string, random: () => number): Promise<Buffer> | Buffer {
  const [extension = ''] = /\w+$/.exec(name) ?? []
  if (extension === 'jpg' || extension === 'png') return drawPicture(extension, random)
  if (extension === 'pdf') return buildPdf(name, random)
  if (extension === 'csv') return Buffer.from(buildCsv(random))
  if (extension === 'wav') return buildWav(random)
  return Buffer.from(writeText(name, random))
}

/** Draws a landscape (JPEG) or a bar chart (PNG). */
function drawPicture(format: 'jpg' | 'png', random: () => number): Promise<Buffer> {
  const hue = Math.floor(random() * 360)
  const drawing = format === 'png' ? drawBars(hue, random) : drawHills(hue, random)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="hsl(${hue},55%,88%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360},60%,70%)"/></linearGradient></defs>
    <rect width="1200" height="800" fill="url(#sky)"/>${drawing}</svg>`
  const image = sharp(Buffer.from(svg))
  return (format === 'png' ? image.png() : image.jpeg({ quality: 82 })).toBuffer()
}

function drawHills(hue: number, random: () => number): string {
  const drawLayer = (index: number) => {
    const points = Array.from({ length: 9 }, (_, i) => `${i * 150},${Math.round(330 + index * 110 + random() * 130)}`)
    return `<polygon points="0,800 ${points.join(' ')} 1200,800" fill="hsl(${(hue + 150) % 360},35%,${52 - index * 11}%)"/>`
  }
  const sun = `<circle cx="${200 + random() * 800}" cy="${120 + random() * 120}" r="70" fill="hsl(${hue},80%,95%)"/>`
  return sun + [0, 1, 2, 3].map(drawLayer).join('')
}

function drawBars(hue: number, random: () => number): string {
  const drawBar = (index: number) => {
    const height = Math.round(120 + random() * 480)
    return `<rect x="${100 + index * 85}" y="${720 - height}" width="55" height="${height}" rx="6" fill="hsl(${(hue + 190) % 360},50%,${40 + (index % 3) * 8}%)"/>`
  }
  return `<rect x="60" y="60" width="1080" height="680" rx="16" fill="white"/>${Array.from({ length: 12 }, (_, i) => drawBar(i)).join('')}`
}

/** Builds a minimal PDF with one page of text. */
function buildPdf(name: string, random: () => number): Buffer {
  const lines = [name.replace(/\.pdf$/, ''), '', ...writeText(name, random).split('\n').slice(2, 30)]
  const text = lines.map((line) => `(${line.replaceAll(/[^ -~]/g, '-').replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const stream = `BT /F1 11 Tf 15 TL 60 780 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + end, 'latin1')
}

const words =
  'the delivery of second quarter plan review with our partners is due on Friday and the revised offer covers both sites transport insurance and handover as agreed'.split(
    ' ',
  )

function writeText(name: string, random: () => number): string {
  const writeSentence = () => {
    const sentenceWords = Array.from({ length: 7 + Math.floor(random() * 6) }, () => words[Math.floor(random() * words.length)])
    return `${sentenceWords.join(' ').replace(/^./, (letter) => letter.toUpperCase())}.`
  }
  return [name, '', ...Array.from({ length: 12 + Math.floor(random() * 60) }, writeSentence), ''].join('\n')
}

function buildCsv(random: () => number): string {
  const rows = Array.from({ length: 40 + Math.floor(random() * 400) }, (_, index) =>
    [index + 1, `P-${1000 + Math.floor(random() * 9000)}`, Math.ceil(random() * 40), (random() * 900).toFixed(2)].join(','),
  )
  return ['position,part,quantity,price', ...rows, ''].join('\r\n')
}

/** Builds one second of a note as WAV: 8,000 samples of 16 bits. */
function buildWav(random: () => number): Buffer {
  const [rate, samples, pitch] = [8000, 8000, 220 + Math.floor(random() * 440)]
  const wav = Buffer.alloc(44 + 2 * samples)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + 2 * samples, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, offset)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(2 * rate, 28)
  wav.write('data', 36)
  wav.writeUInt32LE(2 * samples, 40)
  for (let i = 0; i < samples; i++) {
    const loudness = 9000 * (1 - i / samples)
    wav.writeInt16LE(Math.round(loudness * Math.sin((2 * Math.PI * pitch * i) / rate)), 44 + 2 * i)
  }
  return wav
}
