/** Every screen of the product, by its address. The server answers these with the page; the web draws them. */
export const screens = [
  '/',
  '/login',
  '/access/{accessKey}',
  '/dashboard',
  '/files',
  '/links',
  '/clients',
  '/directories',
  '/directories/{directory}',
  '/forgot',
  '/docs',
] as const
