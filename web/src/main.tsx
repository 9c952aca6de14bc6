import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { ErrorBoundary } from './lib/error-boundary.tsx'
import { CardFailed } from './pages/page-states.tsx'
import { AppRoutes } from './routes.tsx'
import { loadWords } from './words/t.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const show = () =>
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary fallback={(error) => <CardFailed error={error} retry={() => location.reload()} />}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
    </StrictMode>,
  )

void loadWords().then(show)
