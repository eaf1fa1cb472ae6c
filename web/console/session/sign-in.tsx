import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../src/client/errors.js';
import type { IdentityProvider } from '../../../src/contract/identity/accounts.js';
import { fieldError, Refusal } from '../parts/refusal.js';
import { useIntent } from '../parts/use-intent.js';
import { useWords } from '../words/words.js';
import { findProvider } from './provider.js';
import { signInByPassword } from './session.js';

interface SignInProps {
  /** The person who continues; left out: anybody. */
  readonly email?: string;
  readonly problem?: string | null;
}

export function SignIn({ email: known, problem = null }: SignInProps) {
  const words = useWords().signIn;
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { data: provider } = useQuery({ queryKey: ['provider'], queryFn: findProvider, staleTime: 60_000 });
  const signIn = useIntent({
    mutationFn: () =>
      signInByPassword({ email, password, ...(code === '' ? {} : { code: code.replaceAll(/\s/g, '') }) }),
  });
  const leave = useIntent({
    mutationFn: async (to: IdentityProvider) => (await import('./provider-login.js')).leaveForProvider(to),
  });
  const needsCode = signIn.error instanceof ApiError && /^login_code_/.test(signIn.error.code);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.start();
  };
  return (
    <form className="sign-in" onSubmit={submit}>
      {provider !== null && provider !== undefined && (
        <>
          <Button fullWidth onClick={() => leave.start(provider)} loading={leave.isPending}>
            {words.provider(URL.parse(provider.issuer)?.host ?? provider.issuer)}
          </Button>
          <p className="or">{words.or}</p>
        </>
      )}
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        readOnly={known !== undefined}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldError(signIn.error, 'email')}
      />
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={fieldError(signIn.error, 'password')}
      />
      {(needsCode || code !== '') && (
        <TextInput
          label={words.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={fieldError(signIn.error, 'code')}
        />
      )}
      <Refusal error={signIn.error ?? leave.error ?? problem} fields={['email', 'password', 'code']} />
      <Button type="submit" fullWidth loading={signIn.isPending} variant={provider == null ? 'filled' : 'default'}>
        {words.submit}
      </Button>
    </form>
  );
}
