import type { Group } from './case.ts'
import { downloads, proxiedDownloads, zip } from './downloads.ts'
import { lists } from './lists.ts'
import { codes, small } from './requests.ts'
import { openBoth } from './servers.ts'
import { starts } from './starts.ts'
import { largeUploads, uploads } from './uploads.ts'

export const groups: Group[] = [
  // Each group has its own servers, to limit the use of disk space.
  { names: ['download'], open: async (stack) => downloads(...(await openBoth(stack))) },
  { names: ['upload'], open: async (stack) => uploads(...(await openBoth(stack))) },
  { names: ['upload 6 GiB'], open: async (stack) => largeUploads(...(await openBoth(stack))) },
  { names: ['download by nginx'], open: proxiedDownloads },
  { names: ['small'], open: small },
  { names: ['zip'], open: zip },
  { names: ['list'], open: lists },
  { names: ['verify', 'sign-in'], open: codes },
  { names: ['start', 'memory'], open: starts },
]
