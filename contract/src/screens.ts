/** Every screen of the product, by its address. The server answers these with the page; the web draws them and builds its links from them. */
export const screens = {
  start: '/',
  login: '/login',
  access: '/access/{accessKey}',
  dashboard: '/dashboard',
  files: '/files',
  links: '/links',
  clients: '/clients',
  directories: '/directories',
  directory: '/directories/{directory}',
  account: '/account',
  forgot: '/forgot',
  docs: '/docs',
} as const
