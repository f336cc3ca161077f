import type { Lexicon } from "./lexicon";

export const portuguese: Lexicon = {
  language: "pt",
  places: "eua|inglaterra|escócia|holanda",
  words: {
    return:
      "devol*|devolver|devolv*|devolução|devoluções|retornar|arrepend*|mudei de ideia|não gostei|não serve*|não quero",
    returnCost: "devolu* .. grátis|devolu* .. gratuit*|custo* .. devolu*",
    refund: "reembols*|estorn*|dinheiro de volta|meu dinheiro",
    exchange: "troc*|troca*|trocar|outro tamanho|outra cor|tamanho errado|muito pequen*|muito grande*|ficou apertad*",
    delivery:
      "entreg*|=envi*|envia*|envio*|frete*|despach*|encomenda*|transportador*|correios|~receb*|chega*|chegar*|remessa*",
    abroad:
      "estrangeiro|exterior|internaciona*|outros países|outro país|fora de|fora do|mundo|países|europa|ue|ilhas|açores|madeira",
    destination:
      "estrangeiro|países|fora|enviam|entregam|enviam para|entregam em|entregam no|entregam na|mandam para|fazem envios para|enviam .. para",
    customs: "alfândeg*|iva|imposto*|taxas alfandegárias|direitos aduaneiros|aduaneir*",
    time: "quanto tempo|~quando|demora*|prazo*|dias|úteis|rápid*",
    period: "dias|prazo*|semanas|quantos dias|quanto tempo tenho|até quando",
    cost: "quanto custa*|quanto é|quanto pago|custa|custam|custar|custo|custos|custou|preço|preços|valor|taxa*|~portes|grátis|gratuit*|caro",
    tracking:
      "rastre*|rastreio|seguimento|acompanhar|seguir|onde .. encomenda|onde .. pedido|não chegou|não recebi|perdid*|atras*|atraso*",
    payment:
      "pagar|pago|pagament*|pagamento*|cartão|cartões|multibanco|mb way|mbway|pix|boleto|dinheiro|transferência*|=paypal",
    charge: "cobr*|cobrado|cobram|debitad*|débito",
    instalments:
      "parcela*|prestações|em prestações|parcelado|financiar*|financiam*|pagar depois|klarna|vezes sem juros",
    damage:
      "danific*|estragad*|partid*|quebrad*|defeit*|defeituos*|avariad*|não funciona|rasgad*|produto errado|artigo errado|errado",
    warranty: "garanti*|garantia*",
    repair: "repar*|reparação|consert*|arranj*|peças",
    privacy: "privacidade|dados|pessoais|proteção de dados|rgpd|lgpd|cookies|minha informação",
    erasure: "apag*|apagar|elimin*|excluir|apagar .. conta|esquecid*",
    sharing: "partilh*|compartilh*|terceiros|vendem os meus|vendem meus|vende os meus|anunciantes",
    newsletter: "newsletter|cancelar .. subscrição|subscrição|publicidade",
    change: "cancel*|anul*|altera*|alterar .. encomenda|mudar .. morada|mudar .. endereço",
    gift: "presente|presentes|prenda*",
    giftCard: "vale* presente|cartão presente|cartões presente|cartão oferta|cartões oferta|cheque* prenda",
    giftWrap: "embrulh*",
    discount: "descont*|desconto*|promoç*|~promoções",
    code: "cupão|cupões|cupom|cupons|código* promociona*|código* de desconto",
    student: "estudante*",
    priceMatch: "mais barato|cobrem .. preço|melhor preço",
    hours: "horário*|~abrem|estão abertos|que horas .. abre*|que horas .. fecha*",
    visit: "abert*|~loja|~lojas|visitar|pessoalmente",
    collect: "levant*|levantar|levantamento|recolh*|retirar|retirada|buscar",
    contact:
      "contact*|contat*|contacto|contato|telefone*|ligar|email|apoio ao cliente|atendimento|reclam*|whatsapp|falar com",
    size: "tamanho*|medida*|guia de tamanhos|numeração",
    care: "lavar|lavagem|limp*|limpar|cuidado*|cuidar|conserv*",
    environment: "sustentáve*|ecológic*|recicl*|embalage*|ambiente|carbono",
    restock: "esgotad*|reposição|voltar a ter|disponível novamente|sem stock|em stock",
    preorder: "pré venda|prévenda*|pré encomenda|reserva*",
    loyalty: "pontos|fidel*|fidelidade|recompensa*|sócio*|cartão cliente|clube",
    account:
      "conta|senha*|palavra passe|registar*|registo*|registrar*|registro*|cadastr*|iniciar sessão|convidad*|sem conta",
    hire: "alug*|aluguer|aluguel",
    secondHand: "segunda mão|usad*|retoma*|recondicionad*",
    trade: "revend*|grossista*|por atacado|profissionais|empresas|salões",
    security: "segur*|segurança|fraude*|burla*|confiável|golpe",
    receipt: "fatura*|factura*|recibo*|nota fiscal|comprovativo*|comprovante*|talão",
    worn: "usado|aberto|lacrad*|etiqueta*|embalagem original|sem uso|selad*",
  },
  chatter:
    "o a os as um uma uns umas de do da dos das no na nos nas ao à aos às e ou em com sem por para pelo pela que quem como qual quais onde é são era está estão estou foi ser estar ter tenho tem têm há me te se lhe nos vos meu minha meus minhas teu tua seu sua seus suas este esta isto esse essa isso eu tu você vocês ele ela eles posso pode podem podia poderia quero queria gostaria devo se sim não mas mais muito já olá oi obrigado obrigada favor algo coisa coisas artigo artigos produto produtos pedido pedidos compra compras comprei comprado comprar fazer faço fazem faz sobre até entre também depois antes certo certa mim",
};
