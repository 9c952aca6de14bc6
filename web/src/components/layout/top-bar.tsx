import { Link, useNavigate } from 'react-router'
import { t } from '../../i18n/t.ts'
import { isMac } from '../../lib/keyboard/shortcuts.ts'
import { BrandMark } from '../brand-mark.tsx'
import { classNames } from '../class-names.ts'
import { OpenCount, type OpenCountProps } from '../feedback/open-count.tsx'
import { IconButton } from '../form/button.tsx'
import { ChevronDownIcon, SearchIcon } from '../icons.tsx'
import { Menu, type MenuProps } from '../menu/menu.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import css from './top-bar.module.css'

const c = classNames(css)

export interface NavItem extends OpenCountProps {
  label: string
  to: string
  current: boolean
}

export interface TopBarProps {
  home: string
  items: readonly NavItem[]
  /** The pages in the “More” menu. */
  more: readonly NavItem[]
  person: { name: string; email: string }
  menuItems: MenuProps['items']
  onFind: () => void
}

export function TopBar({ home, items, more, person, menuItems, onFind }: TopBarProps) {
  const navigate = useNavigate()
  return (
    <div className={c('bar')}>
      <Link to={home} className={c('home')}>
        <BrandMark place="bar" />
      </Link>
      <nav aria-label={t('Main')} className={c('nav')}>
        <ul className={c('links')}>
          {items.map(({ label, to, current, openItems }) => (
            <li key={to}>
              <Link to={to} className={c('link')} aria-current={current ? 'page' : undefined}>
                {label}
                <OpenCount openItems={openItems} />
              </Link>
            </li>
          ))}
          <li>
            <Menu
              label={t('More')}
              current={more.some(({ current }) => current)}
              triggerClassName={c('link')}
              trigger={
                <>
                  {t('More')}
                  <ChevronDownIcon size={16} />
                </>
              }
              items={more.map(({ label, to }) => ({ label, onSelect: () => void navigate(to) }))}
            />
          </li>
        </ul>
      </nav>
      <div className={c('wide')}>
        <button
          type="button"
          className={c('find')}
          aria-haspopup="dialog"
          aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
          onClick={onFind}
        >
          <SearchIcon size={16} />
          {t('Search')}
          <span aria-hidden="true" className={c('keys')} data-keys={isMac ? '⌘ K' : `${t('Ctrl')} K`} />
        </button>
        <Menu
          label={t('Account of {name}', { name: person.name })}
          align="end"
          triggerClassName={c('avatarButton')}
          trigger={
            <>
              <span aria-hidden="true" className={c('avatar')} data-initials={getInitials(person.name)} />
              <ChevronDownIcon size={16} />
            </>
          }
          header={
            <div className={c('person')}>
              <span className={c('name')}>{person.name}</span>
              <span className={c('email')}>{person.email}</span>
            </div>
          }
          items={menuItems}
        />
      </div>
      <div className={c('phone')}>
        <IconButton label={t('Search')} icon={<SearchIcon />} aria-haspopup="dialog" onClick={onFind} />
        <PhoneMenu {...{ items, more, person, menuItems }} />
      </div>
    </div>
  )
}

/** Returns the initials of the first and last word: “Kim van Dijk” gives KD. */
function getInitials(name: string) {
  const words = name.trim().split(/\s+/)
  const outerWords = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return outerWords
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
