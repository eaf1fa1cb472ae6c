/** Asked where another page has led here with a one-time code: whoever made the code would be signed in, not the reader. */
import { Button } from '@mantine/core';
import { useWords } from '../words/all-words.js';
import { answerCode } from './session.js';

export default function CodeQuestion() {
  const words = useWords().code;
  return (
    <main className="door">
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      <div className="buttons">
        <Button variant="default" onClick={() => void answerCode(true)}>
          {words.take}
        </Button>
        <Button onClick={() => void answerCode(false)}>{words.leave}</Button>
      </div>
    </main>
  );
}
