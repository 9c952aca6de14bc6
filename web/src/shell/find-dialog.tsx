import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../components/form/button.tsx'
import { FileIcon, FolderIcon, LinkIcon, PeopleIcon, PersonIcon, SearchIcon } from '../components/icons.tsx'
import { Palette } from '../components/menu/palette.tsx'
import type { PaletteGroup, PaletteOption } from '../components/menu/palette-list.tsx'
import { hasAllWords, rankMatch } from '../features/finder/match.ts'
import { getRecentHits, rememberHit } from '../features/finder/recent-hits.ts'
import { type Hit, type HitKind, maxHits, useSearchResults } from '../features/finder/search-queries.ts'
import { type Text, t } from '../i18n/t.ts'
import { revealRowAfterNavigation } from '../lib/page/scroll-position.ts'
import { useDebounced } from '../lib/use-debounced.ts'
import { useIsOnline } from '../lib/use-is-online.ts'
import { paths } from '../paths.ts'
import type { Commands } from '../screens/shared/dialogs/dialog.ts'
import { useCommands } from './use-commands.tsx'

/** The pause in typing after which the search starts. */
const searchDelayMs = 150

const groupNames = {
  company: 'Companies',
  directory: 'Directories',
  file: 'Files',
  link: 'Links',
  user: 'Users',
} as const satisfies Record<HitKind, Text>

const icons: Record<HitKind, ReactNode> = {
  company: <PeopleIcon />,
  directory: <FolderIcon />,
  file: <FileIcon />,
  link: <LinkIcon />,
  user: <PersonIcon />,
}

/** The pages that list everything of a kind that matches a search. */
const listPaths: Partial<Record<HitKind, string>> = { file: paths.files, link: paths.links, user: paths.clients }

interface FindDialogProps extends Commands {
  onClose: () => void
}

/** Searches by name: everything the user can see, and pages and actions. */
export function FindDialog({ pages, menu, onClose }: FindDialogProps) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const search = useDebounced(typed, searchDelayMs)
  const { hits, isBusy, error, retry } = useSearchResults(typed && search)
  const commands = useCommands({ pages, menu })
  const toOption = useHitOptions()
  const navigate = useNavigate()
  const showAll = (path: string) => void navigate(`${path}?${new URLSearchParams({ search: typed })}`)
  const isWaiting = typed !== '' && (isBusy || search !== typed)
  const groups = typed
    ? [...filterCommands(commands, typed), ...groupByKind(hits, toOption, showAll)]
    : [{ label: t('Recent'), options: getRecentHits().map(toOption) }, ...commands]
  const isEmpty = groups.every(({ options }) => options.length === 0)
  return (
    <Palette
      label={t('Search or choose an action')}
      text={text}
      onTextChange={setText}
      groups={groups}
      busy={isWaiting}
      note={<SearchNote {...{ typed, isWaiting, isEmpty, error, retry }} />}
      onClose={onClose}
    />
  )
}

/** Filters commands by the typed words, best match first. */
const filterCommands = (groups: readonly PaletteGroup[], typed: string): PaletteGroup[] =>
  groups.map(({ label, options }) => ({
    label,
    options: options
      .filter((option) => hasAllWords(option.label, typed))
      .toSorted((a, b) => rankMatch(a.label, typed) - rankMatch(b.label, typed)),
  }))

/**
 * Groups the results. If files, links or users may have more results, their group ends with an option that opens the page with all of
 * them.
 */
const groupByKind = (
  hits: readonly Hit[],
  toOption: (hit: Hit) => PaletteOption,
  showAll: (path: string) => void,
): PaletteGroup[] =>
  (Object.keys(groupNames) as HitKind[]).map((kind) => {
    const label = t(groupNames[kind])
    const options = hits.filter((hit) => hit.kind === kind).map(toOption)
    const path = options.length >= maxHits ? listPaths[kind] : undefined
    const more = path && {
      id: `all-${kind}`,
      label: t('More in {page}', { page: label }),
      icon: <SearchIcon />,
      onSelect: () => showAll(path),
    }
    return { label, options: more ? [...options, more] : options }
  })

/** Returns a function that turns a search result into an option, which opens the result’s page. For a link, it focuses the row in the list. */
function useHitOptions() {
  const navigate = useNavigate()
  return (hit: Hit): PaletteOption => ({
    id: `${hit.kind}-${hit.id}`,
    label: hit.label,
    detail: hit.detail,
    icon: icons[hit.kind],
    onSelect: () => {
      rememberHit(hit)
      if (hit.kind === 'link') revealRowAfterNavigation(hit.id)
      void navigate(hit.to)
    },
  })
}

interface SearchNoteProps {
  typed: string
  isWaiting: boolean
  isEmpty: boolean
  error: Error | null
  retry: () => void
}

/** Explains why there are no results, or not all of them. */
function SearchNote({ typed, isWaiting, isEmpty, error, retry }: SearchNoteProps) {
  const isOnline = useIsOnline()
  if (!typed) return null
  if (!isOnline) return <p role="status">{t('You’re offline. Search finds only pages and actions.')}</p>
  if (isWaiting) return isEmpty && <p>{t('Searching')}</p>
  if (error) {
    return (
      <>
        <p role="alert">{t('Some results couldn’t be loaded. {reason}', { reason: error.message })}</p>
        <Button onClick={retry}>{t('Try again')}</Button>
      </>
    )
  }
  return isEmpty && <p role="status">{t('Nothing matches “{search}”.', { search: typed })}</p>
}
