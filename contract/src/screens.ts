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
  trash: '/trash',
  account: '/account',
  mail: '/mail',
  forgot: '/forgot',
  reset: '/reset/{token}',
  docs: '/docs',
} as const
