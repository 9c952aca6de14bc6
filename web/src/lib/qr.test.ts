import { expect, it } from 'vitest'
import { createQrMatrix } from './qr.ts'

const address = 'https://files.acme.example/access/7YqPz4mWk2c3K9aLrT0bVn'

/** Each row as a hexadecimal number, created with the npm package qrcode 1.5.4 and verified with the decoder jsQR. */
const examples = [
  [
    'a URL as version 4',
    address,
    `
    1fc197b7f 1044f4041 175484f5d 175d7b15d 175f2665d 1056b4541 1fd55557f 1b61b00 17c2e947c d3b17a6d 17643d054 1a2365c5f
    75721c18 3f9bcb 1a4d408ea 9b2d2fe4 11c7c87b9 e135326f 1f45f81b6 1db8d7c3f 17545b388 1202e7e4d 14647408a 16b7e5e6c
    1150ea5fd 15ce117 1fcd39b56 1052b5f1e 175b245fa 17503d393 175dc1c6c 104894fdc 1fde487aa`,
  ],
  [
    'a longer URL as version 7, with version information',
    `${address}?${'a'.repeat(60)}`,
    `
    1fc4f208d97f 104e06f63241 17559c115a5d 17548dd8a35d 1753f3fa675d 105095158841 1fd55555557f 1e8f1b5100 17ceb5f8ec7c
    93aac8be317 df2c43d0fea 12966b33517c 17ca8dd4ea89 f80a388d185 ec9553a0cee 1e190eb3583e 55f8e98c080 ea62078f385
    fe705b60e6e 820ee025a0e ffc7ff8a1f0 f11f118e31f 55709564f56 1f1121175d1e 1ffd9f2e3fa 18b197d8e185 125f49640d9a
    c0acbfb7646 4e5e7b0c052 a304c60f145 1b571d8e102e 2b32c337a6e 779f838a130 191f3fd8e185 17765462d8e f2cf0f31bae
    136669f8a1f0 1c5918631d 1fc723578f56 1053cf13571f 175819f8ebf8 1752f378e03b 175b57950f8a 104625035384 1fd75430e56a`,
  ],
  [
    'multi-byte characters as version 10, with blocks of different lengths',
    `Grüße, ${'x'.repeat(190)}`,
    `
    1fcc4fbddddd67f 1056e0e77777a41 17484d42122265d 1744e518988825d 17514cb7cddda5d 1047a7645777441 1fd55555555557f
    47bf45dddb00 154ac2aff777612 1bd7b8e222202d 1e7a28548888987 a850b32ddddfd2 11fab27a7777678 d3d3b2b222202e
    1dfaf8be8888987 c8dcba9ddddf91 17fad22f77776bb 835098e22220ed 1cfeedd488889c7 889e9b19dddfe2 16c3d36bf777468
    896044ea222221 4e5e0d4c8889ab 18b5e2b1cddddd2 ee1d36b5777678 a9024e022202d 15f4a7d7d8889f7 1115efbc5dddf12
    1551b7657777558 191a4a44622211d 11f6275fc888bf7 19078f775dddd72 f61b7563777528 110aca98a22228e 135e2789c888ad6
    1b334f175dddd72 a6147eb3777529 13825a02a22228d 11d60393c888ad7 1abb43325dddd72 b604b6637775a8 13815c88a222249
    1510c99c888bd3 b3847376dddcf6 3534a66a777424 138b5388f2223bd 14e3c299a8888e7 1f0bcc379dddd62 405667f7775f8
    19f38c6a2231d 1fc142554488957 1049fc7c5dddf12 1750063ff7777f8 174983a5e2221de 175192f34888b75 10419c2a1ddde22
    1fdcb6acb77748b`,
  ],
] as const

it.each(examples)('draws %s', (_, text, rows) => {
  expect(createQrMatrix(text)?.map(toHex)).toEqual(rows.trim().split(/\s+/))
})

it('returns undefined for a text that is too long', () => {
  expect(createQrMatrix('x'.repeat(213))).toHaveLength(57)
  expect(createQrMatrix('x'.repeat(214))).toBeUndefined()
})

const toHex = (row: readonly boolean[]) => BigInt(`0b${row.map(Number).join('')}`).toString(16)
