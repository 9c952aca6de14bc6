import { type ReactNode, useState } from 'react'
import { MonitorIcon, MoonIcon, SunIcon } from '../../components/icons.tsx'
import { chooseTheme, currentTheme, type Theme } from '../../lib/theme.ts'

const themes: { theme: Theme; label: string; icon: ReactNode }[] = [
  { theme: 'system', label: 'System theme', icon: <MonitorIcon /> },
  { theme: 'light', label: 'Light theme', icon: <SunIcon /> },
  { theme: 'dark', label: 'Dark theme', icon: <MoonIcon /> },
]

/** The theme choice, as radio items of a menu. */
export function useThemeItems() {
  const [chosen, setChosen] = useState(currentTheme)
  return themes.map(({ theme, label, icon }) => ({
    label,
    icon,
    checked: theme === chosen,
    onSelect: () => {
      chooseTheme(theme)
      setChosen(theme)
    },
  }))
}
