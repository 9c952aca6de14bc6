import { useState } from 'react'
import { MonitorIcon, MoonIcon, SunIcon } from '../components/icons.tsx'
import { t } from '../i18n/t.ts'
import { chooseTheme, getTheme } from '../lib/storage/theme.ts'

const themes = [
  { theme: 'system', label: 'System theme', icon: <MonitorIcon /> },
  { theme: 'light', label: 'Light theme', icon: <SunIcon /> },
  { theme: 'dark', label: 'Dark theme', icon: <MoonIcon /> },
] as const

/** Returns a menu’s radio items for the theme. */
export function useThemeItems() {
  const [chosenTheme, setChosenTheme] = useState(getTheme)
  return themes.map(({ theme, label, icon }) => ({
    label: t(label),
    icon,
    checked: theme === chosenTheme,
    onSelect: () => {
      chooseTheme(theme)
      setChosenTheme(theme)
    },
  }))
}
