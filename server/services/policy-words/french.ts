import type { Lexicon } from "./lexicon";

export const french: Lexicon = {
  language: "fr",
  places: "usa|amérique|angleterre|écosse|hollande",
  words: {
    return:
      "retour*|retourner|renvoy*|renvoi*|rendre|rétracter|rétractation*|changé d avis|ne .. plaît pas|ne .. va pas|droit de rétractation|satisfait .. remboursé",
    refund: "rembours*|remboursement*|récup* .. argent|mon argent",
    returnCost:
      "retour* .. gratuit*|frais de retour|paie .. retour*|paye .. retour*|retour* .. payant*|renvoi* .. gratuit*",
    exchange:
      "échang*|autre taille|autre couleur|mauvaise taille|trop petit*|trop grand*|trop serré*|changer .. taille",
    delivery:
      "livr*|livraison*|expédié*|expédier|=expédition*|envoi*|envoy*|colis|~recev*|~reçois|acheminement|transporteur*|arrive*",
    abroad: "étranger|=international*|internationale|monde entier|quels pays|autres pays|autre pays|hors de|europe|ue",
    destination:
      "étranger|hors|livrez|expédiez|livrez vous|livrez .. en|livrez .. au|livrez .. à|expédiez .. en|envoyez .. en",
    customs: "douan*|tva|taxes|frais de douane",
    time: "combien de temps|~quand|délai*|jours|ouvrés|ouvrables|rapide*|vite|durée",
    period: "jours|délai*|semaines|combien de jours|combien de temps .. pour|jusqu à quand",
    deliveryCost: "frais de port|frais d envoi",
    cost: "combien coût*|~combien|coût*|coûte|frais|prix|tarif*|gratuit*|gratuite*|cher|frais de port",
    tracking:
      "suivi|suivre|numéro de suivi|où .. commande|où .. colis|pas reçu|pas arrivé*|jamais reçu|perdu*|=retard|en retard|retardé*",
    payment:
      "payer|payez|payé*|paiement*|~carte|carte bancaire|carte bleue|virement*|moyens de paiement|espèces|réglement|régler|chèque*",
    charge: "débit*|débité*|prélev*|prélèvement*",
    instalments: "plusieurs fois|trois fois|quatre fois|échelonn*|mensualité*|crédit|klarna|alma|payer plus tard",
    damage:
      "abîm*|abîmé*|cassé|cassés|cassée*|casser|endommag*|défectueu*|défaut*|déchir*|en panne|ne marche pas|ne fonctionne pas|mauvais article|erreur de commande",
    warranty: "garanti*|garantie*",
    repair: "répar*|réparation*|pièces détachées|pièce détachée",
    privacy: "confidentialit*|données|vie privée|rgpd|cookies|=personnel*|informations personnelles",
    erasure: "effac*|supprim*|suppression|supprimer .. compte|oubli",
    sharing: "partag*|=tiers|revend*|vendez mes|vendez vous mes|vendez vos|publicitaire*",
    newsletter: "newsletter|désabonn*|désinscri*|infolettre",
    change: "annul*|annulation*|=modifier|modifiez|=modification*|changer .. adresse|changer .. commande",
    gift: "cadeau*",
    giftCard: "bon* cadeau*|carte* cadeau*|chèque* cadeau*",
    giftWrap: "emballage* cadeau*|paquet* cadeau*|papier cadeau",
    discount: "remise*|réduction*|rabais|=promotion*|~soldes",
    code: "code* promo*|code* de réduction",
    student: "étudiant*",
    priceMatch: "moins cher ailleurs|alignement|meilleur prix",
    hours:
      "horaire*|êtes vous ouvert*|vous ouvrez|ouvrez vous|quelle heure .. ouvr*|quelle heure .. ferm*|fermez vous|quand .. ouvert*",
    visit: "ouvert*|magasin*|boutique*|sur place|visiter|showroom",
    collect: "=retir*|retirez|retrait*|venir chercher|récupérer|=click",
    contact: "contact*|contacter|joindre|téléphon*|appel*|service client|=mail|email|réclamation*|conseiller",
    size: "taille*|pointure*|guide des tailles|mesure*",
    care: "laver|lavage*|lavable*|lave|lavez|lavé|entretien*|entreten*|nettoy*|sèche linge|imperméabilis*",
    environment: "durable*|écolog*|recycl*|emballage*|~environnement*|carbone",
    restock: "rupture*|de nouveau disponible|réassort*|en stock",
    preorder: "précommand*",
    loyalty: "fidélité|points|carte de fidélité|récompense*|adhérer|adhérent*|adhésion*|membre*",
    account: "compte|mot de passe|inscri*|créer .. compte|sans compte|connexion|=invité",
    hire: "loue*|=location|emprunt*",
    secondHand: "=occasion|seconde main|reprise|reprenez",
    trade: "professionnel*|grossiste*|gros volume|entreprise*",
    security: "sécuris*|sécurité|fraude*|arnaque*|fiable",
    receipt: "facture*|reçu|ticket de caisse|justificatif*|preuve d achat",
    worn: "porté|portés|portée*|utilisé*|étiquette*|emballage d origine|déballé*",
  },
  chatter:
    "ça le la les un une des du de d l j c s m n t qu au aux ce cet cette ces je tu il elle on nous vous ils elles me te se mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs est es suis sont était ai as a avons avez ont être avoir fait faire faites fais peux peut puis pouvez pouvons veux voudrais voulais voulez dois doit et ou mais si que qui quoi dont où comment quel quelle quels quelles est ce dans en sur sous pour par avec sans chez vers pas ne plus bonjour merci svp plaît article articles produit produits commande commandes commander achat achats acheté acheter chose choses quelque y lui aussi très tout tous toute encore déjà alors",
};
