import { type ReactNode, useState } from 'react'
import { classNames } from '../components/class-names.ts'
import { Checkbox } from '../components/form/checkbox.tsx'
import { DialogFrame } from '../components/layout/dialog-frame.tsx'
import { t } from '../i18n/t.ts'
import { formatShortcut, hasSingleKeys, isMac, setSingleKeys } from '../lib/keyboard/shortcuts.ts'
import css from './shortcuts-dialog.module.css'

const c = classNames(css)

/** Lists all keyboard shortcuts. Single-key shortcuts are easy to press by mistake, so they can be turned off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(hasSingleKeys)
  const change = (next: boolean) => {
    setSingleKeys(next)
    setOn(next)
  }
  return (
    <DialogFrame title={t('Keyboard shortcuts')} confirmLabel={t('Close')} onClose={onClose}>
      <Checkbox label={t('Single-key shortcuts: / and ?')} checked={isOn} onChange={({ target }) => change(target.checked)} />
      <dl className={c('keys')}>
        <ShortcutRow keys={[isMac ? '⌘' : t('Ctrl'), 'K']}>{t('Search everything, or choose an action')}</ShortcutRow>
        <ShortcutRow keys={['/']} isOff={!isOn}>
          {t('Search on this page')}
        </ShortcutRow>
        <ShortcutRow keys={['?']} isOff={!isOn}>
          {t('Show this list')}
        </ShortcutRow>
        <ShortcutRow keys={['↑', '↓', '←', '→']}>{t('Move through a list, menu or tiles')}</ShortcutRow>
        <ShortcutRow keys={['↵']}>{t('Open the focused item')}</ShortcutRow>
        <ShortcutRow keys={[t('Space')]}>{t('Preview the focused file')}</ShortcutRow>
        <ShortcutRow keys={[t('Shift'), t('Space')]}>{t('Select or deselect the focused item')}</ShortcutRow>
        <ShortcutRow keys={[t('Shift'), '↑', '↓']}>{t('Extend the selection')}</ShortcutRow>
        <ShortcutRow keys={[isMac ? '⌘' : t('Ctrl'), 'A']}>{t('Select everything in a list')}</ShortcutRow>
        <ShortcutRow keys={[formatShortcut('F2')]}>{t('Rename the focused item')}</ShortcutRow>
        <ShortcutRow keys={[formatShortcut('Delete')]}>{t('Delete the selection or the focused item')}</ShortcutRow>
        <ShortcutRow keys={[isMac ? '⌘' : t('Ctrl'), 'X / C / V']}>{t('Cut, copy and paste files and folders')}</ShortcutRow>
        <ShortcutRow keys={[isMac ? '⌘' : t('Ctrl'), 'Z']}>{t('Undo')}</ShortcutRow>
        <ShortcutRow keys={[t('Shift'), 'F10']}>{t('Show actions for the focused item')}</ShortcutRow>
        <ShortcutRow keys={[t('Esc')]}>{t('Close a dialog or menu')}</ShortcutRow>
      </dl>
    </DialogFrame>
  )
}

const ShortcutRow = ({ keys, isOff = false, children }: { keys: readonly string[]; isOff?: boolean; children: ReactNode }) => (
  <div className={c('key', isOff && 'off')}>
    <dt className={c('caps')}>
      {keys.map((key) => (
        <kbd key={key} className={c('cap')}>
          {key}
        </kbd>
      ))}
    </dt>
    <dd>
      {children}
      {isOff && ` ${t('(turned off)')}`}
    </dd>
  </div>
)
