import { englishFirst } from './english-first.ts'
import type { Translation } from './t.ts'

/**
 * English texts are in the code. This file has only plural forms, and texts whose key includes a context to tell meanings apart.
 */
export const english = {
  ...englishFirst,
  '{n} files': { one: '{n} file', other: '{n} files' },
  'They own {n} links that haven’t expired.': {
    one: 'They own {n} link that hasn’t expired.',
    other: 'They own {n} links that haven’t expired.',
  },
  '{n} webhooks are deleted.': { one: '{n} webhook is deleted.', other: '{n} webhooks are deleted.' },
  '{n} unfinished uploads are discarded.': {
    one: '{n} unfinished upload is discarded.',
    other: '{n} unfinished uploads are discarded.',
  },
  '{n} results': { one: '{n} result', other: '{n} results' },
  'Dismiss (a request)': 'Dismiss',
  'Expired (a heading)': 'Expired',
  'To (a day)': 'To',
  'Restore (a user)': 'Restore',
  'Archive (a company)': 'Archive',
  'Restored {name}. (a company)': 'Restored {name}.',
  'Restore {name} (a user)': 'Restore {name}',
  '{n} links will stop working.': { one: '{n} link will stop working.', other: '{n} links will stop working.' },
  '{n} links now belong to {owner}.': {
    one: '{n} link now belongs to {owner}.',
    other: '{n} links now belong to {owner}.',
  },
  '{n} links were closed.': { one: '{n} link was closed.', other: '{n} links were closed.' },
  'Show all {n} links': { one: 'Show the {n} link', other: 'Show all {n} links' },
  'Delete {n} files?': { one: 'Delete {n} file?', other: 'Delete {n} files?' },
  '{n} links stop working while {name} is suspended.': {
    one: '{n} link stops working while {name} is suspended.',
    other: '{n} links stop working while {name} is suspended.',
  },
  'The receipt also lists the same content under {n} other names: {names}.': {
    one: 'The receipt also lists the same content under {n} other name: {names}.',
    other: 'The receipt also lists the same content under {n} other names: {names}.',
  },
  '{n} attempts': { one: '{n} attempt', other: '{n} attempts' },
  '{n} failed attempts since {date}': { one: '{n} failed attempt since {date}', other: '{n} failed attempts since {date}' },
  '{n} need files': { one: '{n} needs its file', other: '{n} need files' },
  '{n} links share this file. If you replace it, they stop working until you restore the old file.': {
    one: '{n} link shares this file. If you replace it, it stops working until you restore the old file.',
    other: '{n} links share this file. If you replace it, they stop working until you restore the old file.',
  },
  '{n} links share the files you replace. They stop working until you restore the old files.': {
    one: '{n} link shares a file you replace. It stops working until you restore the old file.',
    other: '{n} links share the files you replace. They stop working until you restore the old files.',
  },
  'Shared through {n} links': { one: 'Shared through {n} link', other: 'Shared through {n} links' },
  '{n} unfinished uploads': { one: '{n} unfinished upload', other: '{n} unfinished uploads' },
  '{n} open requests': { one: '{n} open request', other: '{n} open requests' },
  '{what} · {n} times': { one: '{what} · {n} time', other: '{what} · {n} times' },
  'in {n} days': { one: 'in {n} day', other: 'in {n} days' },
  '{n} days left': { one: '{n} day left', other: '{n} days left' },
  'The first {n} are listed. Show more': {
    one: 'The first {n} is listed. Show more',
    other: 'The first {n} are listed. Show more',
  },
  'Anyone using these {n} links loses access right away. You can’t undo this. The shared files are kept.': {
    one: 'Anyone using this {n} link loses access right away. You can’t undo this. The shared files are kept.',
    other: 'Anyone using these {n} links loses access right away. You can’t undo this. The shared files are kept.',
  },
  'Deleted {n} links.': { one: 'Deleted {n} link.', other: 'Deleted {n} links.' },
  'Optional, up to {n} characters.': { one: 'Optional, up to {n} character.', other: 'Optional, up to {n} characters.' },
  'This must have at most {n} characters.': {
    one: 'This must have at most {n} character.',
    other: 'This must have at most {n} characters.',
  },
  'This must have at least {n} characters.': {
    one: 'This must have at least {n} character.',
    other: 'This must have at least {n} characters.',
  },
  'This name is too long. The limit is {n} bytes.': {
    one: 'This name is too long. The limit is {n} byte.',
    other: 'This name is too long. The limit is {n} bytes.',
  },
  'Deleted {n} files.': { one: 'Deleted {n} file.', other: 'Deleted {n} files.' },
  'Restored {n} files.': { one: 'Restored {n} file.', other: 'Restored {n} files.' },
  'Restored {n} directories.': { one: 'Restored {n} directory.', other: 'Restored {n} directories.' },
  'At least {n} characters.': { one: 'At least {n} character.', other: 'At least {n} characters.' },
  'At least {n} characters: {left} more.': {
    one: 'At least {n} character: {left} more.',
    other: 'At least {n} characters: {left} more.',
  },
  'Show all {n} requests': { one: 'Show the {n} request', other: 'Show all {n} requests' },
  'It has more than {n} days left. Extend it closer to its expiry.': {
    one: 'It has more than {n} day left. Extend it closer to its expiry.',
    other: 'It has more than {n} days left. Extend it closer to its expiry.',
  },
  'For all {n} files': { one: 'For the {n} file', other: 'For all {n} files' },
  'Cancel {n} uploads': { one: 'Cancel {n} upload', other: 'Cancel {n} uploads' },
  'Uploading {n} files to {directory}.': {
    one: 'Uploading {n} file to {directory}.',
    other: 'Uploading {n} files to {directory}.',
  },
  'It failed {n} times in a row, over more than three days.': {
    one: 'It failed {n} time in a row, over more than three days.',
    other: 'It failed {n} times in a row, over more than three days.',
  },
  'More than {n} deliveries were waiting for it.': {
    one: 'More than {n} delivery was waiting for it.',
    other: 'More than {n} deliveries were waiting for it.',
  },
  '{n} blobs': { one: '{n} blob', other: '{n} blobs' },
  '{n} uploads': { one: '{n} upload', other: '{n} uploads' },
  '{n} downloads': { one: '{n} download', other: '{n} downloads' },
  'Companies that are nearly full, and the largest of {n}. Includes files in the trash.': {
    one: 'Companies that are nearly full, and the largest of {n}. Includes files in the trash.',
    other: 'Companies that are nearly full, and the largest of {n}. Includes files in the trash.',
  },
  'The largest of {n} companies. Includes files in the trash.': {
    one: 'The largest of {n} company. Includes files in the trash.',
    other: 'The largest of {n} companies. Includes files in the trash.',
  },
  '{company} and {n} other companies': { one: '{company} and {n} other company', other: '{company} and {n} other companies' },
  'and {n} other companies': { one: 'and {n} other company', other: 'and {n} other companies' },
  '{n} of {total} steps are done.': { one: '{n} of {total} steps is done.', other: '{n} of {total} steps are done.' },
  '{taken} of your {n} files have names that already exist in {directory}.': {
    one: '{taken} of your {n} file has a name that already exists in {directory}.',
    other: '{taken} of your {n} files have names that already exist in {directory}.',
  },
  '{found} of {n} endpoints': { one: '{found} of {n} endpoint', other: '{found} of {n} endpoints' },
  '{n} links stop working, because {name} may no longer share them.': {
    one: '{n} link stops working, because {name} may no longer share it.',
    other: '{n} links stop working, because {name} may no longer share them.',
  },
  '{n} working links get a new owner.': {
    one: '{n} working link gets a new owner.',
    other: '{n} working links get a new owner.',
  },
} satisfies Record<string, Translation>
