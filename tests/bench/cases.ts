import type { Group } from './case.ts'
import { makeCompanyListCases } from './company-lists.ts'
import { makeDownloadCases, makeProxiedDownloadCases, makeZipCases } from './downloads.ts'
import { makeListCases } from './lists.ts'
import { makeLiveCases } from './live.ts'
import { makeCredentialCases, makeSmallFileCases } from './requests.ts'
import { openServers } from './servers.ts'
import { makeStartCases } from './starts.ts'
import { makeTreeUploadCases } from './tree-uploads.ts'
import { makeTreeCases } from './trees.ts'
import { makeLargeUploadCases, makeUploadCases } from './uploads.ts'

export const groups: Group[] = [
  // Each group has its own servers, to limit the use of disk space.
  { names: ['download'], open: async (stack, options) => makeDownloadCases(await openServers(stack, options)) },
  { names: ['upload'], open: async (stack, options) => makeUploadCases(await openServers(stack, options)) },
  {
    names: ['upload 6 GiB'],
    open: async (stack, options) => makeLargeUploadCases({ ...(await openServers(stack, options)), peers: [] }),
  },
  { names: ['download by nginx'], open: makeProxiedDownloadCases },
  { names: ['small'], open: makeSmallFileCases },
  { names: ['zip'], open: makeZipCases },
  { names: ['list'], open: makeListCases },
  { names: ['lists of 100,000 companies'], open: makeCompanyListCases },
  { names: ['open pages'], open: makeLiveCases },
  { names: ['tree'], open: makeTreeCases },
  { names: ['tree upload'], open: makeTreeUploadCases },
  { names: ['verify', 'sign-in'], open: makeCredentialCases },
  { names: ['start', 'memory'], open: makeStartCases },
]
