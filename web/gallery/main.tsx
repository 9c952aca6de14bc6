import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { ToastProvider } from '../src/components/feedback/toast.tsx'
import '../src/styles/typeface.css'
import '../src/styles/tokens.css'
import '../src/styles/base.css'
import { CardPage } from './card-page.tsx'
import { GalleryPage } from './gallery-page.tsx'

const query = new URLSearchParams(location.search)
const theme = query.get('theme')
if (theme) document.documentElement.dataset['theme'] = theme

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MemoryRouter>
        <ToastProvider>{query.get('page') === 'card' ? <CardPage /> : <GalleryPage />}</ToastProvider>
      </MemoryRouter>
    </StrictMode>,
  )
}
