import type { ActivityAction, ChangeTopic } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Reader, type Recipient } from '../../lib/actor.ts'
import { getViewer } from '../activity/activity.service.ts'
import { findFiles } from '../file/file.repo.ts'
import { type Change, isAnyWithin, listChanges } from './live.repo.ts'

/** Returns whether changes in these companies can be visible to a reader. */
export function mayBeVisible(reader: Reader, companies: Set<string | null>): boolean {
  if (reader.kind === 'recipient') return companies.has(reader.link.companyId)
  const { company } = getViewer(reader).scope
  return company === undefined || companies.has(company)
}

/**
 * Returns a function that finds the topics of the changes that a reader may see. Readers with the same access share one result. `changes`
 * are all changes after the position `from`.
 */
export function createTopicFinder(deps: Deps, from: number, changes: Change[]) {
  const found = new Map<string, Promise<ChangeTopic[]>>()
  const find = async (reader: Reader) =>
    reader.kind === 'staff'
      ? listTopics(await listChanges(deps.db, from, changes.length, getViewer(reader)))
      : findForRecipient(deps, reader, changes)
  return (reader: Reader) => {
    const key = JSON.stringify(reader.kind === 'staff' ? getViewer(reader) : reader.link)
    const topics = found.get(key) ?? find(reader)
    found.set(key, topics)
    return topics
  }
}

const listTopics = (changes: Change[]): ChangeTopic[] => [...new Set(changes.map(getStaffTopic))]

/** A download through a link changes only what staff know about the link. */
function getStaffTopic({ action, link_key }: Change): ChangeTopic {
  if (!readActions.includes(action)) return getTopic(action)
  return link_key === null ? 'other' : 'link'
}

/** Actions that change no file. */
const readActions: ActivityAction[] = ['file.downloaded', 'file.previewed', 'directory.downloaded']

function getTopic(action: ActivityAction): ChangeTopic {
  const [subject = ''] = action.split('.')
  return topicOfSubject[subject] ?? 'other'
}

const topicOfSubject: Record<string, ChangeTopic> = {
  file: 'file',
  upload: 'file',
  directory: 'directory',
  link: 'link',
  receipt: 'link',
  company: 'company',
  user: 'user',
}

/**
 * Actions that don't change what recipients see. Files and directories that are removed were in the trash before, and versions that a link
 * is pinned to are not removed while it is open.
 */
const unnoticed: ActivityAction[] = [
  ...readActions,
  ...(['upload.cancelled', 'file.version_removed', 'file.removed', 'directory.removed'] as const),
]
/** Further actions that recipients of a link that is pinned to a version don't notice. */
const unnoticedIfPinned: ActivityAction[] = ['file.uploaded', 'file.replaced', 'file.version_restored']
/** Further actions that recipients of other links don't notice. If the version of a pinned link is deleted, the link stops working. */
const unnoticedIfUnpinned: ActivityAction[] = ['file.version_deleted']
/** Actions that change what a recipient can do with a link. */
const linkActions: ActivityAction[] = ['link.reset', 'link.extended', 'link.handed_over', 'link.closed', 'link.deleted']

/** Returns the topics of the changes that a recipient's link shows. */
async function findForRecipient(deps: Deps, { link, ...rest }: Recipient, changes: Change[]): Promise<ChangeTopic[]> {
  const reader = { link, ...rest }
  const ignored = [...unnoticed, ...(link.version === null ? unnoticedIfUnpinned : unnoticedIfPinned)]
  const own = changes.filter(({ action, company_id }) => company_id === link.companyId && !ignored.includes(action))
  const about = (topic: ChangeTopic) => own.filter(({ action }) => getTopic(action) === topic)
  const isLinkChanged = own.some(({ action, link_key }) => link_key === link.key && linkActions.includes(action))
  const files = listIds(about('file'), 'file_id')
  const directories = [...listIds(about('directory'), 'directory_id'), ...listIds(about('file'), 'directory_id')]
  const isFileChanged = files.length > 0 && (await findFiles(deps.db, files, getReach(reader))).length > 0
  const isDirectoryChanged = link.type !== 'LINK_FILE' && (await isAnyWithin(deps.db, directories, link.directoryId))
  return [
    ...(isLinkChanged ? (['access'] as const) : []),
    ...(isFileChanged ? (['file'] as const) : []),
    ...(isDirectoryChanged ? (['directory'] as const) : []),
  ]
}

const listIds = (changes: Change[], column: 'file_id' | 'directory_id') =>
  [...new Set(changes.map((change) => change[column]))].filter((id) => id !== null)
