"""A chat engine whose memory holds the verified text; a scripted model stands in for an LLM."""

from llama_index.core.memory import ChatMemoryBuffer
from stand_ins.llama_index_llm import ANSWER, Scripted, shop_rules

from grounding_middleware_llama_index import ground, report_of

memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
llm = Scripted(says=lambda _: ANSWER)
chat = ground(shop_rules.as_chat_engine(chat_mode="context", llm=llm, memory=memory))

reply = chat.chat("How long does a refund take?")
print("reply: ", reply.response)
print("action:", report_of(reply).action)
print("memory:", chat.chat_history[-1].content)

print("stream:", end=" ")
for piece in chat.stream_chat("And with a voucher?").response_gen:
    print(piece, end="")
print()
