import { useState } from 'react'
import { Button } from '../src/components/form/button.tsx'
import { MonitorIcon, MoonIcon, PlusIcon, SignOutIcon, SunIcon } from '../src/components/icons.tsx'
import { Layout } from '../src/components/layout/layout.tsx'
import { PageHeader } from '../src/components/layout/page-header.tsx'
import { TopBar } from '../src/components/layout/top-bar.tsx'
import { ControlSections } from './control-sections.tsx'
import { FeedbackSections } from './feedback-sections.tsx'
import { ListSections } from './list-sections.tsx'
import { OverlaySections } from './overlay-sections.tsx'

const navItems = [
  { label: 'Dashboard', to: '/', current: false },
  { label: 'Directories', to: '/directories', current: true },
  { label: 'Links', to: '/links', current: false },
  { label: 'Users', to: '/clients', current: false },
]
const moreItems = [
  { label: 'Files', to: '/files', current: false },
  { label: 'Trash', to: '/trash', current: false },
]

export function GalleryPage() {
  const [theme, setTheme] = useState('System theme')
  const createThemeItem = (label: string, icon: React.ReactNode) => ({
    label,
    icon,
    checked: theme === label,
    onSelect: () => setTheme(label),
  })
  const menuItems = [
    createThemeItem('System theme', <MonitorIcon />),
    createThemeItem('Light theme', <SunIcon />),
    createThemeItem('Dark theme', <MoonIcon />),
    'separator' as const,
    { label: 'Sign out', icon: <SignOutIcon />, onSelect: () => {} },
  ]
  const person = { name: 'Kim Doe', email: 'kim.doe@a-company-with-a-long-name.example' }
  return (
    <Layout bar={<TopBar home="/" items={navItems} more={moreItems} person={person} menuItems={menuItems} onFind={() => {}} />}>
      <PageHeader
        breadcrumbs={[{ label: 'Directories', to: '/directories' }]}
        name="Quay house"
        purpose="19 files · 255.4 KB"
        action={
          <Button variant="primary" icon={<PlusIcon />}>
            Create Directory
          </Button>
        }
      />
      <ControlSections />
      <ListSections />
      <OverlaySections />
      <FeedbackSections />
    </Layout>
  )
}
