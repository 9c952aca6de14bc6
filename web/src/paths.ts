/** Every path of the product. The route table passes the parameter's pattern, everyone else its value. */
export const paths = {
  start: '/',
  login: '/login',
  access: (accessKey: string) => `/access/${accessKey}`,
  dashboard: '/dashboard',
  files: '/files',
  links: '/links',
  clients: '/clients',
  directories: '/directories',
  directory: (directory: string) => `/directories/${directory}`,
  forgot: '/forgot',
  docs: '/docs',
}
